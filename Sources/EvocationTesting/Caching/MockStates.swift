import Evocation

/// The states that a mock shows; observing begins with the first iteration.
struct MockStates<Element: Sendable>: ObservedSequence {
  typealias Failure = Never

  let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

  /// What is given, or else what is sent.
  init(
    _ stage: MockStage<Element>,
    _ given: (@Sendable () -> any AsyncSequence<Element, Never>)?
  ) {
    begin =
      if let given {
        { given().makeAsyncIterator() }
      } else {
        { stage.observe().makeAsyncIterator() }
      }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(begin: begin)
  }

  /// Calls back with each state, until the observation ends.
  func observation(
    _ callback: @escaping @Sendable (Element) -> Void
  ) -> Evocation.Observation {
    let task = Task {
      for await state in self where !Task.isCancelled { callback(state) }
    }
    return Evocation.Observation { task.cancel() }
  }

  struct Iterator: ObservedIterator {
    private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>
    private var iterator: (any AsyncIteratorProtocol<Element, Never>)?

    init(begin: @escaping @Sendable () -> any AsyncIteratorProtocol<Element, Never>) {
      self.begin = begin
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      var iterator = self.iterator ?? begin()
      defer { self.iterator = iterator }
      return await iterator.next(isolation: actor)
    }
  }
}
