/// An asynchronous sequence of observed values, which never fails.
///
/// ```swift
/// var states = cars.observe().makeAsyncIterator()
/// let first = await states.next()
/// ```
///
/// Every `observe()` returns one, and so do `convert`, `mapContent` and `combine`. The compiler
/// knows that `next()` of its iterator does not throw, which it does not know for
/// `some AsyncSequence<Element, Never>`.
public protocol ObservedSequence<Element>: AsyncSequence, Sendable
where Failure == Never, AsyncIterator: ObservedIterator {}

/// An iterator whose `next()` you call without `try`.
///
/// Your app gets one from the sequence that `observe()` returns:
///
/// ```swift
/// var states = departures.observe().makeAsyncIterator()
/// let shown = await states.next()
/// ```
public protocol ObservedIterator<Element>: AsyncIteratorProtocol where Failure == Never {
  /// Waits for the next element where the caller runs; nil at the end, and after cancellation.
  ///
  /// It does not override the standard library's requirement, because a call through that
  /// requirement would leave the caller's actor.
  @_nonoverride mutating func next() async -> Element?
}

extension ObservedIterator {
  /// Waits for the next element where the caller runs; nil at the end, and after cancellation.
  public mutating func next() async -> Element? {
    await next(isolation: #isolation)
  }
}

/// The elements that a closure returns one by one, nil for the end.
///
/// Each iterator has a closure of its own, which it gets with the first call of its `next`, and
/// releases at the end, or with itself.
package struct ObservedElements<Element: Sendable>: ObservedSequence {
  package typealias Failure = Never
  package typealias Next = @Sendable () async -> Element?

  private let begin: @Sendable () async -> Next?

  package init(_ begin: @escaping @Sendable () async -> Next?) {
    self.begin = begin
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(begin: begin)
  }

  package struct Iterator: ObservedIterator {
    private enum State {
      case new(@Sendable () async -> Next?)
      case begun(Next)
      case ended
    }

    @SharedByCopies private var state: State

    fileprivate init(begin: @escaping @Sendable () async -> Next?) {
      state = .new(begin)
    }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      if case .new(let begin) = state {
        let next = await begin()
        state = next.map { .begun($0) } ?? .ended
      }
      guard case .begun(let next) = state, let element = await next() else {
        state = .ended
        return nil
      }
      return element
    }
  }
}

/// The elements of a sequence, each transformed into another.
package struct ObservedMap<Base: AsyncSequence & Sendable, Element>: ObservedSequence
where Base.Failure == Never {
  package typealias Failure = Never

  let base: Base
  let transform: @Sendable (Base.Element) -> Element

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), transform: transform)
  }

  package struct Iterator: ObservedIterator {
    var base: Base.AsyncIterator
    let transform: @Sendable (Base.Element) -> Element

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      await base.next(isolation: actor).map(transform)
    }
  }
}

extension AsyncSequence where Self: Sendable, Failure == Never {
  /// Returns the same elements as a sequence whose iterator does not throw.
  ///
  /// Your own type that conforms to ``CacheProviding`` can return an `AsyncStream` in this way.
  public func observed() -> some ObservedSequence<Element> {
    observedMap { $0 }
  }

  /// Returns a sequence that transforms each element into another.
  package func observedMap<New>(
    _ transform: @escaping @Sendable (Element) -> New
  ) -> ObservedMap<Self, New> {
    ObservedMap(base: self, transform: transform)
  }
}
