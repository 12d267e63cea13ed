import Evocation

/// The states that a mock shows; observing begins with the first iteration.
struct MockStates<Element: Sendable>: ObservedSequence {
  typealias Failure = Never

  let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

  /// The states of the given sequence or, without one, those that the test sends.
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

/// Shows a mock's states to its observers, and the present one to those who come later.
final class MockStage<Element: Sendable>: Sendable {
  private struct State {
    var present: Element?
    var isFinished = false
    var observers: [UInt64: AsyncStream<Element>.Continuation] = [:]
    var lastNumber: UInt64 = 0
  }

  /// How many observations have begun.
  let observations = Gate.Counter()

  private let state = Lock(State())

  deinit { finish() }

  /// The element that was sent last.
  var present: Element? { state.withLock { $0.present } }

  func send(_ element: Element) {
    // Released outside the lock, because that may run a deinit of the app's.
    let old = state.withLock { state in
      let old = state.present
      state.present = element
      for continuation in state.observers.values { continuation.yield(element) }
      return old
    }
    withExtendedLifetime(old) {}
  }

  func finish() {
    let observers = state.withLock { state in
      state.isFinished = true
      defer { state.observers = [:] }
      return state.observers
    }
    for continuation in observers.values { continuation.finish() }
  }

  /// Begins to observe.
  func observe() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    let (number, isFinished) = state.withLock { state in
      state.lastNumber += 1
      if let present = state.present { continuation.yield(present) }
      if !state.isFinished { state.observers[state.lastNumber] = continuation }
      return (state.lastNumber, state.isFinished)
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
    if isFinished { continuation.finish() }
    observations.increase()
    return stream
  }
}
