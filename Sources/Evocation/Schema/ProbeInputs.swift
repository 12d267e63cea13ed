/// What a probed type is answered: one set of made-up values of several.
struct ProbeInputs {
  var text = ""
  var number = 0

  /// Whether what may be absent is there.
  var givesOptionals = true

  /// Whether a type that asks which keys there are is told of one.
  var givesKey = false

  /// How many elements a list has, until it asks for more.
  var elements = 1

  /// Whether a list says beforehand how many elements it has.
  var givesCount = false

  /// Whether each request for a single value fails, to see what else the type would take.
  var refuses = false

  /// Each set is tried in turn until the type accepts one.
  static let all: [ProbeInputs] = [true, false].flatMap { givesOptionals in
    texts.flatMap { text in
      [0, 1].map { ProbeInputs(text: text, number: $0, givesOptionals: givesOptionals) }
    }
  }

  /// The same for a list that wants to have a number of elements known beforehand, as vectors do.
  var counted: [ProbeInputs] {
    [0, 2, 3, 4, 8, 16, 32, 64].map { count in
      var answers = self
      answers.elements = count
      answers.givesCount = true
      return answers
    }
  }

  private static let texts = [
    "", "a", "0", "1", "2001-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000",
    "http://localhost/",
  ]
}
