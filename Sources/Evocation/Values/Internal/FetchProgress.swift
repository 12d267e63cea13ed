package import Foundation

/// A progress of the app, for the work inside the call that it was passed to.
///
/// - Canceling the progress, or a progress that it is a part of, cancels the work as canceling the
///   task does, at any time.
/// - When the call returns, the progress is finished, unless the app has canceled it. What the work
///   reports later, for other callers, does not change it any more.
package final class FetchProgress: Sendable {
  @TaskLocal package static var current: FetchProgress?

  private enum Report {
    case done(Int, of: Int?)
    case end(isDone: Bool)
  }

  private struct State {
    var next: Report?
    /// Whether a thread is writing, which then writes the next report too.
    var isWriting = false
    var hasEnded = false
  }

  private let progress: Progress
  private let state = Lock(State())

  private init(_ progress: Progress) {
    self.progress = progress
  }

  /// Runs the work of a call with a progress of the app; `isDone` says whether it did everything.
  package static func run<Value: Sendable>(
    _ progress: Progress?, isDone: (Value) -> Bool, _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    guard let progress else { return await $current.withValue(nil) { await work() } }
    let own = FetchProgress(progress)
    own.report(0, of: nil)
    let value = await $current.withValue(own) { await own.cancelling(work) }
    own.put(.end(isDone: isDone(value)))
    return value
  }

  /// Whether the app has canceled the progress.
  package var isCancelled: Bool { progress.isCancelled }

  /// Reports how much is done; the total is unknown while it is nil.
  package func report(_ done: Int, of total: Int?) {
    put(.done(done, of: total))
  }

  /// Runs work, and cancels it when the progress is canceled.
  ///
  /// In a child task, which keeps what a call passes to its repository: priority, task-local values
  /// and executor.
  private func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    let (value, isOver) = (Promise<Value>(), Promise<Void>())
    let cancellation = ProgressCancellation.of(progress)
    let observation = cancellation.events.observe { isOver.fulfil() }
    if progress.isCancelled { isOver.fulfil() }
    await withTaskGroup { group in
      group.addTask {
        value.fulfil(await work())
        isOver.fulfil()
      }
      await isOver.value(ifCancelled: ())
      group.cancelAll()
    }
    observation.cancel()
    return await value.value
  }

  /// Writes a report, or leaves that to the thread that is writing one.
  ///
  /// Outside the lock, because the progress calls its observers, and one at a time, because it has no
  /// lock of its own on Linux.
  private func put(_ report: Report) {
    let isWriter = state.withLock { state in
      guard !state.hasEnded else { return false }
      if case .end = report { state.hasEnded = true }
      state.next = report
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard isWriter else { return }
    while let next = takeNext() {
      switch next {
      case .done(let done, let total): progress.report(done, of: total)
      case .end(let isDone): progress.end(isDone: isDone)
      }
    }
  }

  private func takeNext() -> Report? {
    state.withLock { state in
      defer { state.next = nil }
      if state.next == nil { state.isWriting = false }
      return state.next
    }
  }
}

extension Progress {
  /// Zero is no total, because nothing of nothing counts as finished here, and as not begun there.
  fileprivate func report(_ done: Int, of total: Int?) {
    totalUnitCount = total.map { Int64(max($0, done)) }.flatMap { $0 > 0 ? $0 : nil } ?? -1
    completedUnitCount = Int64(done)
  }

  /// Finishes it, with what was done as the total if not everything was; at least one unit.
  fileprivate func end(isDone: Bool) {
    guard isDone || !isCancelled else { return }
    let done = max(isDone ? max(totalUnitCount, completedUnitCount) : completedUnitCount, 1)
    totalUnitCount = done
    completedUnitCount = done
  }
}

/// Tells the calls with one progress of the app that it is canceled.
///
/// The only cancellation handler of the progress is the app's, whenever the app sets it. So this is
/// told by a child of it, which counts for nothing. Each progress has one, whatever the number of
/// calls, and it lives as long.
private final class ProgressCancellation: Sendable {
  private final class Known: Sendable {
    weak let cancellation: ProgressCancellation?

    init(_ cancellation: ProgressCancellation) { self.cancellation = cancellation }
  }

  private static let all = Lock<[ObjectIdentifier: Known]>([:])

  let events = Broadcast<Void>()
  private let key: ObjectIdentifier

  private init(_ key: ObjectIdentifier) {
    self.key = key
  }

  deinit {
    Self.all.withLock { [key] all in
      // Another progress may have the place in memory by now.
      if all[key]?.cancellation == nil { all[key] = nil }
    }
  }

  static func of(_ progress: Progress) -> ProgressCancellation {
    let key = ObjectIdentifier(progress)
    let (cancellation, isNew) = all.withLock { all in
      if let known = all[key]?.cancellation { return (known, false) }
      let new = ProgressCancellation(key)
      all[key] = Known(new)
      return (new, true)
    }
    guard isNew else { return cancellation }
    let child = Progress.discreteProgress(totalUnitCount: -1)
    child.cancellationHandler = { cancellation.events.tell() }
    progress.addChild(child, withPendingUnitCount: 0)
    return cancellation
  }
}
