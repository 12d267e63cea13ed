/// A value, once it is known, with a stream of its changes for each listener.
///
/// Every listener gets the changes in their order. A stream ends when this object is released.
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

  /// The number of present listeners.
  package var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Sets the value, and returns whether it differs from the one before.
  @discardableResult
  package func set(_ value: Value) -> Bool {
    state.withLock { state in
      guard state.value != value else { return false }
      state.value = value
      // Under the lock, so that all listeners get the changes in the same order.
      for listener in state.listeners.values { listener.yield(value) }
      return true
    }
  }

  /// Returns a stream of later changes; by default it keeps only the latest that was not taken.
  ///
  /// `ended` is called when no reader takes from the stream any more.
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
      // Released outside the lock.
      let listener = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
      withExtendedLifetime(listener) {}
      ended?()
    }
    return stream
  }
}
