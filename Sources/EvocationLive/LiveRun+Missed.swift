internal import Evocation
import Foundation

extension LiveRun {
  private static var backoff: Backoff {
    Backoff(first: .seconds(1), longest: .minutes(5), jitter: 0.5)
  }

  /// Fetches what the app observes, each time that something may have been missed.
  ///
  /// After a failure it fetches again, with longer and longer pauses, while the connection stands.
  func fetchMissed(_ connection: LiveRunState<Model>, at pace: LivePace) async {
    while await connection.gaps.next() != nil {
      var failures = 0
      while !Task.isCancelled {
        let gap = connection.gapCount
        if await fetchObserved(since: connection.gapDate) {
          if let mark = connection.fill(upTo: gap) {
            await connection.batch.add(RemoteChanges(mark: mark))
          }
          break
        }
        failures += 1
        await pace.wait(Self.backoff.pause(after: failures, chance: proxy.environment.chance()))
      }
    }
  }

  /// Fetches observed caches and lists, and what is observed beside them; false after a failure.
  ///
  /// Caches that were fetched after the date lack nothing.
  private func fetchObserved(since date: Date) async -> Bool {
    let registry = proxy.knownFetches(binding).registry
    let criteria = link.observedCriteria
    return await withTaskGroup { group in
      group.addTask { await registry.fetchObserved(prefix: self.proxy.tagPrefix, since: date) }
      for criteria in criteria { group.addTask { await self.fetch(criteria) } }
      return await group.reduce(true) { $0 && $1 }
    }
  }

  private func fetch(_ criteria: Criteria) async -> Bool {
    guard let error = await proxy.fetchObserved(criteria) else { return true }
    // The end of the connection ends the fetch too, and is traced where it is known.
    if !Task.isCancelled { trace("what its live connection missed could not be fetched: \(error)") }
    return false
  }
}
