/// Remembers which models of one type the app writes, for as long as somebody fetches.
///
/// Without a fetch under way a write costs one look at it, and so does a fetch without a write.
final class WriteLog<Model: Sendable>: Sendable {
  /// The moment at which a fetch began; what is written later is remembered until it is released.
  final class Mark: Sendable {
    private let log: WriteLog
    private let generation: UInt64
    private let signOuts: UInt64

    fileprivate init(_ log: WriteLog) {
      self.log = log
      signOuts = log.signOuts.number
      generation = log.quiet.withLock { $0.mark() }
    }

    deinit {
      log.release(generation)
    }

    /// Whether nothing was written since.
    var isQuiet: Bool {
      log.quiet.withLock { [generation] in $0.number(of: generation) == nil }
    }

    /// Whether somebody has signed out since, so that nothing may be saved of what was fetched.
    var isSignedOut: Bool { log.signOuts.number != signOuts }

    /// What was written since.
    var written: WrittenModels<Model> {
      let spans = log.spans(since: generation)
      guard var written = spans.first else { return WrittenModels() }
      for span in spans.dropFirst() { _ = written.add(span) }
      return written
    }
  }

  private let signOuts: SignOutCount
  private let quiet = Lock(QuietMarks())
  /// Taken inside the other lock, where both are.
  private let marks = Lock(WriteMarks<Model>())

  init(_ signOuts: SignOutCount = SignOutCount()) {
    self.signOuts = signOuts
  }

  /// Sets a mark; writes that are on their way count as made since.
  func mark() -> Mark { Mark(self) }

  /// Notes what was written, at the write's end and before the next one has its turn.
  func note(_ write: (inout WrittenModels<Model>) -> Void) {
    guard quiet.withLock({ $0.isMarked }) else { return }
    var written = WrittenModels<Model>()
    write(&written)
    guard !written.isEmpty else { return }
    // Models are released after the locks.
    _ = quiet.withLock { [written] quiet in
      marks.withLock { marks in
        let numbers = (0..<quiet.marks).map { _ in marks.mark() }
        if let number = numbers.last { quiet.begin(after: number) }
        return marks.note(written)
      }
    }
  }

  /// Notes what was fetched and saved, for the other fetches that are under way.
  ///
  /// The fetch that it comes from holds a mark itself.
  func noteLanded(_ landing: (inout WrittenModels<Model>) -> Void) {
    if quiet.withLock({ $0.isMarkedTwice }) { note(landing) }
  }

  private func spans(since generation: UInt64) -> [WrittenModels<Model>] {
    quiet.withLock { quiet in
      guard let number = quiet.number(of: generation) else { return [] }
      return marks.withLock { $0.written(since: number) }
    }
  }

  private func release(_ generation: UInt64) {
    guard let number = quiet.withLock({ $0.release(generation) }) else { return }
    forget(number)
  }

  // Not inlined, so that its generic types are looked up only where it runs.
  @inline(never)
  private func forget(_ number: UInt64) {
    // Models are released after the lock.
    _ = marks.withLock { $0.release(number) }
  }
}

/// The marks since which nothing was written, as a value that knows no model.
///
/// Nearly all marks are released before a write comes. Looking up generic types for each would cost
/// several times as much as the rest of such a fetch; so a mark is known by its generation
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

  /// Whether there are several marks.
  var isMarkedTwice: Bool { loud.values.reduce(marks) { $0 + $1.marks } > 1 }

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
