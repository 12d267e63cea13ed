/// A value, once it is known, of which each change is told to all who listen.
///
/// What is told is told in the order of the changes. A stream ends when the value is released.
package final class CurrentValue<Value: Equatable & Sendable>: Sendable {
  private struct State {
    var value: Value?
    var listeners: [UInt64: AsyncStream<Value>.Continuation] = [:]
    var lastID: UInt64 = 0
  }

  private let state: Lock<State>

  package init(_ value: Value?) {
    state = Lock(State(value: value))
  }

  deinit {
    for listener in state.withLock({ $0.listeners.values }) { listener.finish() }
  }

  package var value: Value? { state.withLock { $0.value } }

  /// How many listen now.
  package var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Sets the value; whether it is another one.
  @discardableResult
  package func set(_ value: Value) -> Bool {
    state.withLock { state in
      guard state.value != value else { return false }
      state.value = value
      // Under the lock, so that all are told in the same order.
      for listener in state.listeners.values { listener.yield(value) }
      return true
    }
  }

  /// Each later change, or the latest of those that were not yet taken.
  ///
  /// Once nobody takes from the stream any more, `ended` is called.
  package func changes(
    _ buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(1),
    ended: (@Sendable () -> Void)? = nil
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: buffering)
    let id = state.withLock { state in
      state.lastID += 1
      state.listeners[state.lastID] = continuation
      return state.lastID
    }
    continuation.onTermination = { [weak self] _ in
      // Released outside of the lock.
      let listener = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
      withExtendedLifetime(listener) {}
      ended?()
    }
    return stream
  }
}
