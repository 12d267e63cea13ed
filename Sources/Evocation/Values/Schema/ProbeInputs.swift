/// The made-up values that a type gets in one run of a probe.
struct ProbeInputs {
  var text = ""
  var number = 0

  /// Whether optional values are present.
  var givesOptionals = true

  /// Whether a type that asks for all keys gets one.
  var givesKey = false

  /// Whether a list has an element.
  var givesElement = true

  /// Whether the key `id` has another value than the other keys of its kind.
  var variesID = false

  /// Whether a value is one that few functions return unchanged.
  private(set) var isOdd = false

  /// Whether each request for a single value fails, to find out which other kinds the type accepts.
  var refuses = false

  /// Values that few functions return unchanged.
  static let odd = ProbeInputs(text: " A_b-c\u{e4}, 7", number: -123_457, isOdd: true)

  /// The sets of values, each tried in turn until the type accepts one.
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
