/// What a type is given in one run of a probe: a set of made-up values.
struct ProbeInputs {
  var text = ""
  var number = 0

  /// Whether what may be absent is there.
  var givesOptionals = true

  /// Whether a type that asks for all keys is given one.
  var givesKey = false

  /// Whether a list has an element.
  var givesElement = true

  /// Whether each request for a single value fails, to see what else the type would take.
  var refuses = false

  /// Each set is tried in turn until the type accepts one.
  static let all: [ProbeInputs] = [true, false].flatMap { givesOptionals in
    texts.flatMap { text in
      [0, 1].map { ProbeInputs(text: text, number: $0, givesOptionals: givesOptionals) }
    }
  }

  static let texts = [
    "", "a", "0", "1", "2001-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000",
    "http://localhost/",
  ]
}
