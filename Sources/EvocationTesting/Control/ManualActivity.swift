public import Evocation

/// An app that becomes active, and ceases to be, when the test says.
///
/// ```swift
/// let activity = ManualActivity()
/// let evocation = Evocation(configuration: .init(activity: activity))
/// activity.becomeActive()
/// ```
///
/// Safe to use from any thread.
public final class ManualActivity: AppActivity {
  private struct State {
    var isActive: Bool?
    var listeners: [UInt64: AsyncStream<Bool>.Continuation] = [:]
    var lastID: UInt64 = 0
  }

  private let state: Lock<State>
  private let listening = Gate.Counter()

  /// Makes an activity; by default it is not known whether the app is active.
  public init(isActive: Bool? = nil) {
    state = Lock(State(isActive: isActive))
  }

  /// Whether the app is active; nil until that is known.
  public var isActive: Bool? { state.withLock { $0.isActive } }

  /// The app is active.
  public func becomeActive() { set(true) }

  /// The app is no longer active.
  public func resignActive() { set(false) }

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

  /// Waits until so many have begun to listen since it was made, as soon as caches are observed.
  ///
  /// - Returns: Whether they have; false when the task was cancelled before, as a test's time limit
  ///   does.
  @discardableResult
  public func listeners(_ count: Int) async -> Bool {
    await listening.reach(count)
  }

  /// How many listen now.
  package var listenerCount: Int { state.withLock { $0.listeners.count } }

  private func set(_ isActive: Bool) {
    state.withLock { state in
      guard state.isActive != isActive else { return }
      state.isActive = isActive
      // Under the lock, so that all are told in the same order.
      for listener in state.listeners.values { listener.yield(isActive) }
    }
  }
}
