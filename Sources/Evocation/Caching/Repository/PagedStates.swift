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
