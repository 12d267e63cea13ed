/// An asynchronous sequence of observed values, which never fails.
///
/// ```swift
/// var states = cars.observe().makeAsyncIterator()
/// let first = await states.next()
/// ```
///
/// Every `observe()` returns one, and so do `convert`, `mapContent` and `combine`. Unlike for
/// `some AsyncSequence<Element, Never>`, the compiler knows of its iterator that `next()` does not
/// throw.
public protocol ObservedSequence<Element>: AsyncSequence, Sendable
where Failure == Never, AsyncIterator: ObservedIterator {}

/// An iterator whose `next()` is called without `try`.
public protocol ObservedIterator<Element>: AsyncIteratorProtocol where Failure == Never {
  /// Waits for the next element where the caller runs; nil at the end, and when it is cancelled.
  ///
  /// It does not override the standard library's requirement, because a call through that one would
  /// leave the caller's actor.
  @_nonoverride mutating func next() async -> Element?
}

extension ObservedIterator {
  /// Waits for the next element where the caller runs.
  public mutating func next() async -> Element? {
    await next(isolation: #isolation)
  }
}

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
  /// A type of your own that conforms to ``CacheProviding`` can return an `AsyncStream` this way.
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
