/// The elements of a sequence, each made into another.
struct ObservedMap<Base: AsyncSequence & Sendable, Element>: ObservedSequence
where Base.Failure == Never {
  typealias Failure = Never

  let base: Base
  let transform: @Sendable (Base.Element) -> Element

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), transform: transform)
  }

  struct Iterator: ObservedIterator {
    var base: Base.AsyncIterator
    let transform: @Sendable (Base.Element) -> Element

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      await base.next(isolation: actor).map(transform)
    }
  }
}

extension AsyncSequence where Self: Sendable, Failure == Never {
  /// Gives the same elements as a sequence whose iterator says that it throws nothing.
  ///
  /// What implements ``CacheProviding`` on its own gives its states so, of an `AsyncStream` for example.
  public func observed() -> some ObservedSequence<Element> {
    observedMap { $0 }
  }

  /// Makes each element into another.
  func observedMap<New>(
    _ transform: @escaping @Sendable (Element) -> New
  ) -> ObservedMap<Self, New> {
    ObservedMap(base: self, transform: transform)
  }
}
