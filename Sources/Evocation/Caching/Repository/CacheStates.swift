/// The states of a cache, as they change.
///
/// Observing begins with the first call of an iterator's `next`; each iterator observes by itself. It
/// ends when the repository is gone or the task that iterates is cancelled.
struct CacheStates<Source: CacheDataSource>: ObservedSequence {
  typealias Element = CacheState<Source.Cache>
  typealias Failure = Never

  /// Begins to observe; nil when the repository is gone.
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
