/// Remembers which models of one type the app writes, for as long as somebody fetches.
///
/// While nobody does, a write costs a look at it and no more; and while nobody writes, a fetch does.
final class WriteLog<Model: Sendable>: Sendable {
  /// The moment at which a fetch began; what is written later is remembered until it is let go.
  final class Mark: Sendable {
    private let log: WriteLog
    private let generation: UInt64

    fileprivate init(_ log: WriteLog) {
      self.log = log
      generation = log.quiet.withLock { $0.mark() }
    }

    deinit {
      log.release(generation)
    }

    /// Whether nothing was written since.
    var isQuiet: Bool {
      log.quiet.withLock { [generation] in $0.number(of: generation) == nil }
    }

    /// What was written since.
    var written: WrittenModels<Model> {
      let spans = log.spans(since: generation)
      guard var written = spans.first else { return WrittenModels() }
      for span in spans.dropFirst() { _ = written.add(span) }
      return written
    }
  }

  private let quiet = Lock(QuietMarks())
  /// Taken inside the other lock, where both are.
  private let marks = Lock(WriteMarks<Model>())

  /// Sets a mark; writes that are on their way count as made since.
  func mark() -> Mark { Mark(self) }

  /// Notes what was written, at the write's end and before the next one has its turn.
  func note(_ write: (inout WrittenModels<Model>) -> Void) {
    guard quiet.withLock({ $0.isMarked }) else { return }
    var written = WrittenModels<Model>()
    write(&written)
    guard !written.isEmpty else { return }
    // What is let go goes after the locks are open.
    _ = quiet.withLock { [written] quiet in
      marks.withLock { marks in
        let numbers = (0..<quiet.marks).map { _ in marks.mark() }
        if let number = numbers.last { quiet.begin(after: number) }
        return marks.note(written)
      }
    }
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

  // A function of its own, so that the types which it names are looked up for nobody else.
  @inline(never)
  private func forget(_ number: UInt64) {
    // What is let go goes after the lock is open.
    _ = marks.withLock { $0.release(number) }
  }
}
