internal import Evocation
import Foundation

extension LiveRun {
  private static var backoff: Backoff {
    Backoff(first: .seconds(1), longest: .minutes(5), jitter: 0.5)
  }

  /// Fetches what was missed, each time that something was.
  ///
  /// After a failure it fetches again, with longer and longer pauses, and no earlier than the service asks.
  func fetchMissed(at pace: LivePace) async {
    let (time, news) = (proxy.environment.time, pace.news())
    var failures = 0
    var seen = Seen()
    while !Task.isCancelled {
      _ = gaps.news.takeAll()
      let now = time.now()
      if gaps.isFilled { await fetchNewlyObserved(&seen) }
      guard let due = gaps.due, due <= now else {
        let pause = gaps.due?.subtracting(now)
        if await hasNews(news, within: pause) { gaps.hurry() }
        continue
      }
      let (round, observed) = (gaps.begin(at: now), link.observedCriteria)
      let errors = await fetch(round.missed)
      let end = time.now()
      if Task.isCancelled { return }
      if gaps.isLast(round) { link.change(by: number) { $0.fill() } }
      guard errors.isEmpty else {
        failures += 1
        let asked = errors.compactMap { ($0 as? any ClassifiedError)?.retryAfter }.max()
        let pause = Self.backoff.pause(
          after: failures, chance: proxy.environment.chance(),
          asked: asked.map { min($0, .hours(24)) })
        gaps.putBack(round, due: end.adding(pause))
        continue
      }
      failures = 0
      gaps.end(round)
      if round.missed.isAll { seen = Seen(gap: binding.live.gap, criteria: observed) }
      if !gaps.lacksModels { link.change(by: number) { $0.lackModels(false) } }
      // The mark that was held back.
      do { try await save(LiveChanges(), removing: LiveIDDecoder()) } catch {}
    }
  }

  /// What is observed apart from caches, and was looked at since changes were last missed.
  private struct Seen {
    var gap: Date?
    var criteria: Set<Criteria> = []
  }

  /// Fetches what somebody has begun to observe, if it was fetched before changes were last missed.
  ///
  /// Caches do so themselves. What was never fetched is as complete as it was.
  private func fetchNewlyObserved(_ seen: inout Seen) async {
    let observed = link.observedCriteria
    guard let gap = binding.live.since?.date else { return }
    let new = seen.gap == gap ? observed.subtracting(seen.criteria) : observed
    seen = Seen(gap: gap, criteria: observed)
    for criteria in new {
      if await proxy.wasFetched(criteria, since: gap) == false {
        _ = traced(await proxy.fetchObserved(criteria))
      }
      if Task.isCancelled { return }
    }
  }

  /// Waits until something may be due, at most for a time; true if the app, the network or the user has
  /// come back.
  private func hasNews(_ news: LivePace.News, within pause: Duration?) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await news.next() != nil }
      group.addTask { [gaps] in
        _ = await gaps.news.next()
        return false
      }
      if let pause {
        group.addTask { [time = proxy.environment.time] in
          try? await time.sleep(pause)
          return false
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  /// Fetches what was missed, and returns the errors.
  private func fetch(_ missed: LiveGaps.Missed) async -> [any Error] {
    missed.isAll ? await fetchObserved() : await fetchModels(missed.models)
  }

  /// Fetches observed caches and lists, and then what is observed beside them and was not fetched so.
  private func fetchObserved() async -> [any Error] {
    let registry = proxy.knownFetches(binding).registry
    let date = binding.live.gap ?? proxy.environment.date()
    let errors = await registry.fetchObserved(prefix: proxy.tagPrefix, since: date)
    return await withTaskGroup { group in
      for criteria in link.observedCriteria {
        group.addTask { await self.fetch(criteria, since: date) }
      }
      return await group.reduce(into: errors) { errors, error in
        if let error { errors.append(error) }
      }
    }
  }

  /// Fetches what matches criteria, unless a cache has done so.
  private func fetch(_ criteria: Criteria, since date: Date) async -> (any Error)? {
    if await proxy.wasFetched(criteria, since: date) == true { return nil }
    return traced(await proxy.fetchObserved(criteria))
  }

  /// Fetches models one by one, which the service has sent so that they cannot be read.
  ///
  /// One that cannot be read now either is left out, and a trace says so.
  private func fetchModels(_ ids: Set<String>) async -> [any Error] {
    let decoder = LiveIDDecoder<Model>()
    var errors: [any Error] = []
    for id in ids.sorted() {
      guard let criteria = decoder.criteria(id) else { continue }
      guard let error = traced(await proxy.fetchObservedOne(criteria)) else { continue }
      let isLost = (error as? any ClassifiedError).map { $0.failureKind == .permanent } ?? false
      if !isLost { errors.append(error) }
    }
    return errors
  }

  // The end of the subscription ends a fetch too, and is traced where it is known.
  private func traced(_ error: (any Error)?) -> (any Error)? {
    if let error, !Task.isCancelled {
      trace("what its live connection missed could not be fetched: \(error)")
    }
    return error
  }
}
