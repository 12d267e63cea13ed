/// The marks since which nothing was written, as a value that knows no model.
///
/// Nearly all marks are let go before anybody writes. To look up generic types for each would cost
/// such a fetch several times what the rest of its way does; so a mark is known by its generation
/// here, and becomes one of ``WriteMarks`` with the first write after it.
struct QuietMarks {
  /// Those of a generation that was written in, as ``WriteMarks`` knows them.
  struct Loud {
    let number: UInt64
    var marks: Int
  }

  private(set) var generation: UInt64 = 0
  private(set) var marks = 0
  private var loud: [UInt64: Loud] = [:]

  /// Whether anybody wants to know what is written.
  var isMarked: Bool { marks > 0 || !loud.isEmpty }

  /// Sets a mark, and answers its generation.
  mutating func mark() -> UInt64 {
    marks += 1
    return generation
  }

  /// What ``WriteMarks`` calls the marks of a generation; nil while nothing was written since.
  func number(of generation: UInt64) -> UInt64? {
    loud[generation]?.number
  }

  /// Ends the present generation, whose marks are from now on known by a number.
  mutating func begin(after number: UInt64) {
    if marks > 0 { loud[generation] = Loud(number: number, marks: marks) }
    generation += 1
    marks = 0
  }

  /// Takes a mark away; answers by which number others know it, if they do.
  mutating func release(_ generation: UInt64) -> UInt64? {
    guard let number = loud[generation]?.number else {
      marks -= 1
      return nil
    }
    loud[generation]?.marks -= 1
    if loud[generation]?.marks == 0 { loud[generation] = nil }
    return number
  }
}
