public import Evocation

/// A connection that comes and goes when the test says.
///
/// ```swift
/// let connectivity = ManualConnectivity(isOnline: false)
/// let evocation = Evocation(
///   configuration: .init(outbox: .init(connectivity: connectivity)))
/// connectivity.goOnline()
/// ```
///
/// Safe to use from any thread.
public final class ManualConnectivity: Connectivity {
  private struct State {
    var isOnline: Bool
    var listeners: [UInt64: AsyncStream<Bool>.Continuation] = [:]
    var lastID: UInt64 = 0
  }

  private let state: Lock<State>
  private let listening = Gate.Counter()

  /// Makes a connection.
  public init(isOnline: Bool = true) {
    state = Lock(State(isOnline: isOnline))
  }

  /// Whether services can be reached; to set it is told to all who listen, where it changes.
  public var isOnline: Bool {
    get { state.withLock { $0.isOnline } }
    set {
      state.withLock { state in
        guard state.isOnline != newValue else { return }
        state.isOnline = newValue
        // Under the lock, so that all are told in the same order.
        for listener in state.listeners.values { listener.yield(newValue) }
      }
    }
  }

  /// The connection is there.
  public func goOnline() { isOnline = true }

  /// The connection is gone.
  public func goOffline() { isOnline = false }

  /// Each later change, in order; any number may listen.
  public func changes() -> AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    let id = state.withLock { state in
      state.lastID += 1
      state.listeners[state.lastID] = continuation
      return state.lastID
    }
    continuation.onTermination = { [weak self] _ in
      // Released outside of the lock.
      let listener = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
      withExtendedLifetime(listener) {}
    }
    listening.increase()
    return stream
  }

  /// Waits until so many have begun to listen since it was made, as an outbox with writes does.
  ///
  /// - Returns: Whether they have; false when the task was cancelled before, as a test's time limit
  ///   does.
  @discardableResult
  public func listeners(_ count: Int) async -> Bool {
    await listening.reach(count)
  }
}
