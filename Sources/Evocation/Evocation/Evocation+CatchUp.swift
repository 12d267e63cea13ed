public import Foundation

extension Evocation {
  /// Does everything that is due, and returns by the deadline.
  ///
  /// Call it in a background task, and for a silent push:
  ///
  /// ```swift
  /// let result = await evocation.catchUp(deadline: .seconds(25))
  /// print(result.sent, "sent,", result.refreshed, "refreshed,", result.left, "left")
  /// ```
  ///
  /// It works in this order:
  ///
  /// 1. It sends unsent writes, without waiting for servers that are paused after a failure.
  /// 2. It fetches observed caches and lists that are missing, stale, or failed last time. If the
  ///    service sends changes automatically and is not connected now, it fetches everything that is
  ///    observed, at any age.
  /// 3. It repeats the prefetches of this process that failed, or are older than their `maxAge`.
  ///
  /// Work that is under way at the deadline may go on, and loses nothing if the process ends.
  ///
  /// - Parameters:
  ///   - deadline: How long it may take in all, by the configuration's clock.
  ///   - progress: A progress that counts the fetches, for a view; nil for none. It is indeterminate
  ///     while unsent writes are sent. Canceling it is as canceling the task: it ends the call at any
  ///     time. When the call returns, the progress is finished, whatever is left, unless your app has
  ///     canceled it.
  /// - Returns: What was done, and what is left, also after a cancellation.
  @discardableResult
  public func catchUp(deadline: Duration, progress: Progress? = nil) async -> CatchUp {
    let end = environment.time.now().adding(deadline)
    return await FetchProgress.run(progress, isDone: { $0.left == 0 }) {
      let progress = FetchProgress.current
      // It counts the fetches, and not the pages of one.
      return await FetchProgress.$current.withValue(nil) {
        await self.catchUp(until: end, progress: progress)
      }
    }
  }

  private func catchUp(until end: Duration, progress: FetchProgress?) async -> CatchUp {
    let flush = await outbox.flush(until: end, waits: false)
    let fetches = registry.all.flatMap { $0.dueFetches() }
    let prefetches = parts.prefetches.all
    let count = Lock((done: 0, all: fetches.count + prefetches.count))
    progress?.report(0, of: fetches.count + prefetches.count)
    let report = { @Sendable (isDone: Bool) -> Void in
      let (done, all) = count.withLock { count in
        count.done += isDone ? 1 : 0
        return count
      }
      progress?.report(done, of: all)
    }
    registry.validations.tell()
    let refreshed = await run(fetches, until: end, report: report)
    let fetched = await run(prefetches, until: end, report: report)
    let left = count.withLock { $0.all - $0.done }
    return CatchUp(sent: flush.sent, refreshed: refreshed + fetched, left: flush.left + left)
  }
  /// Runs fetches at the same time, and returns by a time how many succeeded by then.
  private func run(
    _ fetches: [DueFetch], until end: Duration, report: @escaping @Sendable (Bool) -> Void
  ) async -> Int {
    let left = end.subtracting(environment.time.now())
    guard !fetches.isEmpty, left > .zero, !Task.isCancelled else { return 0 }
    let (succeeded, ended) = (Lock(0), Promise<Void>())
    let work = WriteScope.apart {
      Task {
        await withTaskGroup { group in
          for fetch in fetches {
            group.addTask {
              let isDone = await BackgroundWork.$current.withValue(BackgroundWork()) {
                await fetch()
              }
              guard !Task.isCancelled else { return }
              if isDone == true { succeeded.withLock { $0 += 1 } }
              report(isDone != false)
            }
          }
        }
        ended.fulfil()
      }
    }
    await ended.value(within: left, by: environment.time, else: (), ifCancelled: ())
    work.cancel()
    return succeeded.withLock(\.self)
  }
}

/// What ``Evocation/catchUp(deadline:progress:)-method`` did, and what it left.
///
/// A background task reports success if nothing is left:
///
/// ```swift
/// let isDone = await evocation.catchUp(deadline: .seconds(25)).left == 0
/// ```
public struct CatchUp: Sendable, Hashable {
  /// The number of unsent writes that the server has executed.
  public var sent: Int

  /// The number of caches, lists, other observed queries and prefetches that were fetched.
  public var refreshed: Int

  /// The number of unsent writes and fetches that are still due; parked writes do not count.
  public var left: Int

  /// Creates a result.
  public init(sent: Int = 0, refreshed: Int = 0, left: Int = 0) {
    self.sent = sent
    self.refreshed = refreshed
    self.left = left
  }
}
