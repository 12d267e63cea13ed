/// What is observed, as it changes: an asynchronous sequence that never fails.
///
/// ```swift
/// var states = cars.observe().makeAsyncIterator()
/// let first = await states.next()
/// ```
///
/// Every `observe()` gives one, and so do `convert`, `mapContent` and `combine`. It is an `AsyncSequence`
/// like any other; beyond that, its iterator says in its type that `next()` throws nothing, which
/// `some AsyncSequence<Element, Never>` alone does not say to the compiler.
public protocol ObservedSequence<Element>: AsyncSequence, Sendable
where Failure == Never, AsyncIterator: ObservedIterator {}

/// An iterator whose `next()` is asked for without `try`.
public protocol ObservedIterator<Element>: AsyncIteratorProtocol where Failure == Never {
  /// Waits for the next element where the caller runs; nil at the end, and when it is cancelled.
  ///
  /// A requirement of its own: one that overrides the standard library's would be called through that,
  /// which leaves the caller's actor.
  @_nonoverride mutating func next() async -> Element?
}

extension ObservedIterator {
  /// Waits for the next element where the caller runs.
  public mutating func next() async -> Element? {
    await next(isolation: #isolation)
  }
}
