/// The states of a cache, as they change.
///
/// Observing begins with the first call of an iterator's `next`. Each iterator observes separately.
/// It ends when the repository is released or the iterating task is canceled.
struct CacheStates<Source: CacheDataSource>: ObservedSequence {
  typealias Element = CacheState<Source.Cache>
  typealias Failure = Never

  /// Begins to observe; nil when the repository is released.
  let begin: @Sendable () async -> CacheObserver<Source>?

  func makeAsyncIterator() -> Iterator {
    Iterator(begin: begin)
  }

  struct Iterator: ObservedIterator {
    private enum State {
      case new
      case observing(CacheObserver<Source>)
      case ended
    }

    private let begin: @Sendable () async -> CacheObserver<Source>?
    private var state = State.new

    init(begin: @escaping @Sendable () async -> CacheObserver<Source>?) {
      self.begin = begin
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      if case .new = state {
        state = await begin().map { .observing($0) } ?? .ended
      }
      guard case .observing(let observer) = state else { return nil }
      let element = await observer.next()
      if element == nil { state = .ended }
      return element
    }
  }
}

/// The states of a list, as they change.
struct PagedStates<Source: CacheDataSource>: ObservedSequence {
  typealias Element = CacheState<PagedCache<Source.Cache>>
  typealias Failure = Never

  let states: CacheStates<Source>

  func makeAsyncIterator() -> Iterator {
    Iterator(states: states.makeAsyncIterator())
  }

  struct Iterator: ObservedIterator {
    var states: CacheStates<Source>.Iterator

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      await states.next(isolation: actor)?.paged
    }
  }
}

/// An observer of a cache repository, which observes for as long as it lives.
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

  /// The next state, or nil when the repository is released or the task is canceled.
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
        // A reader that is too slow gets the present state in place of those that it missed.
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

extension CacheState {
  /// The state of a list, whose content includes the loading of further pages.
  var paged: CacheState<PagedCache<Cache>> {
    convert { cache in cache.map { PagedCache($0, of: self) } }
  }
}

extension PagedCache {
  fileprivate init(_ cache: Cache, of state: CacheState<Cache>) {
    self.init(
      cache, areMorePages: state.areMorePages, areMorePreviousPages: state.areMorePreviousPages,
      next: state.next, previous: state.previous, range: state.extent?.range,
      count: state.extent?.count)
  }
}
