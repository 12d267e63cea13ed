import Synchronization

/// Records which models of one type the app writes while a fetch is under way.
///
/// Without a fetch under way, a write only checks for one. A fetch costs as little without a write.
final class WriteLog<Model: Sendable>: Sendable {
  /// The beginning of a fetch; the log records later writes until it is released.
  final class Mark: Sendable {
    private let log: WriteLog
    private let generation: UInt64
    private let signOuts: UInt64

    fileprivate init(_ log: WriteLog, _ signOuts: UInt64?) {
      self.log = log
      self.signOuts = signOuts ?? log.signOuts.number
      generation = log.quiet.withLock { $0.mark() }
    }

    deinit {
      log.release(generation)
    }

    /// Records the models that the fetch saved, for fetches that began earlier and are not saved
    /// yet.
    ///
    /// Their models are older. They neither replace nor remove these models, nor bring back the
    /// removed ones. Models without ids cannot be distinguished, and are not recorded.
    func noteLanded(_ models: [Model], removed: [Model] = []) {
      log.noteLanded(models, removed, before: generation)
    }

    /// Whether the app has written nothing since the mark.
    var isQuiet: Bool {
      log.quiet.withLock { [generation] in $0.number(of: generation) == nil }
    }

    /// Whether a sign-out came since the mark, so that nothing of the fetch may be saved.
    var isSignedOut: Bool { log.signOuts.number != signOuts }

    /// The models that were written since the mark.
    var written: WrittenModels<Model> {
      let spans = log.spans(since: generation)
      guard var written = spans.first else { return WrittenModels() }
      for span in spans.dropFirst() { _ = written.add(span) }
      return written
    }
  }

  private let signOuts: SignOutCount
  private let quiet = Lock(QuietMarks())
  /// Acquired inside the first lock by code that needs both.
  private let marks = Lock(WriteMarks<Model>())
  private let count = Atomic<UInt64>(0)

  /// The number of writes, for code that remembers a point in time for long.
  ///
  /// It says only whether there was a write since, and not which.
  var writeCount: UInt64 { count.load(ordering: .relaxed) }

  /// Whether a fetch is under way that needs to know of writes.
  var isMarked: Bool { quiet.withLock { $0.isMarked } }

  init(_ signOuts: SignOutCount = SignOutCount()) {
    self.signOuts = signOuts
  }

  /// Sets a mark; writes that are under way count as later than it.
  ///
  /// `signOuts` is the number of sign-outs when the fetch was requested, if that was earlier. A
  /// sign-out since then counts too.
  func mark(asOf signOuts: UInt64? = nil) -> Mark { Mark(self, signOuts) }

  /// Records the models of a write, at the write's end and before the next write has its turn.
  func note(_ write: (inout WrittenModels<Model>) -> Void) {
    // Counted before the check, so that each write is known to a mark, or in the count after the
    // mark is set.
    count.wrappingAdd(1, ordering: .relaxed)
    guard quiet.withLock({ $0.isMarked }) else { return }
    var written = WrittenModels<Model>()
    write(&written)
    guard !written.isEmpty else { return }
    // Models are released after the locks, because that may run the app's code.
    _ = quiet.withLock { [written] quiet in
      marks.withLock { marks in
        quiet.number { marks.mark() }
        return marks.note(written)
      }
    }
  }

  private func noteLanded(_ models: [Model], _ removed: [Model], before generation: UInt64) {
    count.wrappingAdd(1, ordering: .relaxed)
    guard quiet.withLock({ $0.isMarked(before: generation) }) else { return }
    var landed = WrittenModels<Model>()
    _ = landed.note(models) { .kept($0) }
    _ = landed.note(removed) { .gone($0) }
    guard !landed.isEmpty, !landed.isUnknown else { return }
    // Models are released after the locks, because that may run the app's code.
    _ = quiet.withLock { [landed] quiet -> [WrittenModels<Model>.Fate] in
      marks.withLock { marks in
        quiet.number { marks.mark() }
        return quiet.number(of: generation).map { marks.note(landed, before: $0) } ?? []
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

  // Not inlined, so that its generic types are looked up only where it runs.
  @inline(never)
  private func forget(_ number: UInt64) {
    // Models are released after the lock, because that may run the app's code.
    _ = marks.withLock { $0.release(number) }
  }
}

/// The marks since which nothing was written, as a value that knows no model.
///
/// Nearly all marks are released before the next write. Looking up generic types for each of them
/// would cost several times as much as the rest of such a fetch. So a mark only has a generation
/// here, and becomes a mark of ``WriteMarks`` at the first write after it.
struct QuietMarks {
  private var generation: UInt64 = 0
  /// The marks since which nothing was written, the oldest first.
  private var quiet: [UInt64] = []
  /// All other marks, with their numbers in ``WriteMarks``.
  private var loud: [UInt64: UInt64] = [:]

  /// Whether there is any mark.
  var isMarked: Bool { !quiet.isEmpty || !loud.isEmpty }

  /// Whether there is an earlier mark than this one.
  func isMarked(before generation: UInt64) -> Bool {
    quiet.first.map { $0 < generation } ?? false || loud.keys.contains { $0 < generation }
  }

  /// Sets a mark, and returns its generation.
  mutating func mark() -> UInt64 {
    generation += 1
    quiet.append(generation)
    return generation
  }

  /// Returns the mark's number in ``WriteMarks``; nil while nothing was written since.
  func number(of generation: UInt64) -> UInt64? { loud[generation] }

  /// Assigns each mark a number of ``WriteMarks``, in the order in which they were set.
  mutating func number(_ mark: () -> UInt64) {
    for generation in quiet { loud[generation] = mark() }
    quiet.removeAll(keepingCapacity: true)
  }

  /// Removes a mark, and returns its number in ``WriteMarks``; nil if it has none.
  mutating func release(_ generation: UInt64) -> UInt64? {
    guard let index = quiet.lastIndex(of: generation) else {
      return loud.removeValue(forKey: generation)
    }
    quiet.remove(at: index)
    return nil
  }
}
