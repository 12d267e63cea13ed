/// Remembers which models of one type the app writes, for as long as somebody fetches.
///
/// While nobody does, a write costs a look at it and no more.
final class WriteLog<Model: Sendable>: Sendable {
  /// The moment at which a fetch began; what is written later is remembered until it is let go.
  final class Mark: Sendable {
    private let log: WriteLog
    private let number: WriteMarks<Model>.Number

    fileprivate init(_ log: WriteLog) {
      self.log = log
      number = log.marks.withLock { $0.mark() }
    }

    deinit {
      // What is let go goes after the lock is open.
      _ = log.marks.withLock { [number] in $0.release(number) }
    }

    /// What was written since.
    var written: WrittenModels<Model> {
      let spans = log.marks.withLock { [number] in $0.written(since: number) }
      guard var written = spans.first else { return WrittenModels() }
      for span in spans.dropFirst() { _ = written.add(span) }
      return written
    }
  }

  private let marks = Lock(WriteMarks<Model>())

  /// Sets a mark; writes that are on their way count as made since.
  func mark() -> Mark { Mark(self) }

  /// Notes what was written, at the write's end and before the next one has its turn.
  func note(_ write: (inout WrittenModels<Model>) -> Void) {
    guard marks.withLock({ $0.isMarked }) else { return }
    var written = WrittenModels<Model>()
    write(&written)
    guard !written.isEmpty else { return }
    _ = marks.withLock { [written] in $0.note(written) }
  }
}
