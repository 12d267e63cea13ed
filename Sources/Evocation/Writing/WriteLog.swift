import Synchronization

/// Remembers which models of one type the app writes, for as long as somebody fetches.
///
/// Without a fetch under way a write costs one look at it, and so does a fetch without a write.
final class WriteLog<Model: Sendable>: Sendable {
  /// The moment at which a fetch began; what is written later is remembered until it is released.
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

    /// Notes what the fetch saved, for those that began before it and are not saved yet.
    ///
    /// What they bring is older, so it neither replaces nor removes these models, nor brings back
    /// the removed ones. Models without ids cannot be told apart, and are not noted.
    func noteLanded(_ models: [Model], removed: [Model] = []) {
      log.noteLanded(models, removed, before: generation)
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
  private let count = Atomic<UInt64>(0)

  /// How many writes there were, for whoever remembers a moment for long: only whether there was
  /// one since is known then.
  var writeCount: UInt64 { count.load(ordering: .relaxed) }

  /// Whether a fetch wants to know what is written.
  var isMarked: Bool { quiet.withLock { $0.isMarked } }

  init(_ signOuts: SignOutCount = SignOutCount()) {
    self.signOuts = signOuts
  }

  /// Sets a mark; writes that are on their way count as made since.
  ///
  /// `signOuts` is how often somebody had signed out when the fetch was asked for, where that was before:
  /// a sign-out since then counts too.
  func mark(asOf signOuts: UInt64? = nil) -> Mark { Mark(self, signOuts) }

  /// Notes what was written, at the write's end and before the next one has its turn.
  func note(_ write: (inout WrittenModels<Model>) -> Void) {
    // Before the look, so that each write is known to a mark or is in the count after it is set.
    count.wrappingAdd(1, ordering: .relaxed)
    guard quiet.withLock({ $0.isMarked }) else { return }
    var written = WrittenModels<Model>()
    write(&written)
    guard !written.isEmpty else { return }
    // Models are released after the locks.
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
    // Models are released after the locks.
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
  private var generation: UInt64 = 0
  /// Those since which nothing was written, the oldest first.
  private var quiet: [UInt64] = []
  /// The others, by the numbers that ``WriteMarks`` knows them by.
  private var loud: [UInt64: UInt64] = [:]

  /// Whether anybody wants to know what is written.
  var isMarked: Bool { !quiet.isEmpty || !loud.isEmpty }

  /// Whether there is a mark that was set earlier than this one.
  func isMarked(before generation: UInt64) -> Bool {
    quiet.first.map { $0 < generation } ?? false || loud.keys.contains { $0 < generation }
  }

  /// Sets a mark, and answers its generation.
  mutating func mark() -> UInt64 {
    generation += 1
    quiet.append(generation)
    return generation
  }

  /// What ``WriteMarks`` calls a mark; nil while nothing was written since.
  func number(of generation: UInt64) -> UInt64? { loud[generation] }

  /// Has ``WriteMarks`` number all marks, in the order in which they were set.
  mutating func number(_ mark: () -> UInt64) {
    for generation in quiet { loud[generation] = mark() }
    quiet.removeAll(keepingCapacity: true)
  }

  /// Takes a mark away; answers by which number others know it, if they do.
  mutating func release(_ generation: UInt64) -> UInt64? {
    guard let index = quiet.lastIndex(of: generation) else {
      return loud.removeValue(forKey: generation)
    }
    quiet.remove(at: index)
    return nil
  }
}
