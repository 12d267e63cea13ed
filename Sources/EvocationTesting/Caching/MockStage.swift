import Evocation

/// Where a mock's states are shown to whoever observes, with the present one for late comers.
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
    // It is let go of after the lock, because that may end an app's own objects.
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
