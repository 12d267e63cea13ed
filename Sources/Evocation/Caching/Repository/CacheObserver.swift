/// One who observes a cache repository, for as long as it is kept.
///
/// It does not keep the repository.
final class CacheObserver<Source: CacheDataSource>: Sendable {
  private let number = CacheNumbers.next()
  private let buffer = CacheSubscribers<Source>.Buffer(capacity: 256)
  private let events = Lock<ArraySlice<CacheEvent>>([])
  private let repository: Weak

  /// Begins to observe.
  init(_ repository: CacheRepository<Source>, forceRefresh: Bool) async {
    self.repository = Weak(repository)
    await repository.observe(number, buffer, forceRefresh: forceRefresh)
  }

  deinit { repository.value?.unobserve(number) }

  /// The next state, or nil when the repository is gone or the task is cancelled.
  func next() async -> CacheState<Source.Cache>? {
    while !Task.isCancelled {
      if let event = events.withLock({ $0.popFirst() }) {
        return event.state(of: Source.Cache.self)
      }
      switch buffer.empty() {
      case .events(let new):
        guard let first = new.first else {
          await buffer.arrival()
          continue
        }
        if new.count > 1 { events.withLock { $0 = new.dropFirst() } }
        return first.state(of: Source.Cache.self)
      case .tooMany:
        // Whoever reads too slowly is given the state that the others led to.
        guard let repository = repository.value else { return nil }
        if let state = repository.present { return state }
      }
    }
    return nil
  }

  private struct Weak: Sendable {
    weak let value: CacheRepository<Source>?

    init(_ value: CacheRepository<Source>) {
      self.value = value
    }
  }
}
