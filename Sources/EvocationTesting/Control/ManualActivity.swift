public import Evocation

/// An app that moves to the foreground and background when your test says so.
///
/// ```swift
/// let activity = ManualActivity()
/// let evocation = Evocation(configuration: .init(activity: activity))
/// activity.becomeActive()
/// ```
///
/// Safe to use from any thread.
public final class ManualActivity: AppActivity {
  private let state: Broadcast<Bool>
  private let listening = Gate.Counter()

  /// Creates an activity; by default it does not know whether the app is active.
  public init(isActive: Bool? = nil) {
    state = Broadcast(last: isActive)
  }

  /// Whether the app is active; nil until your test says so.
  public var isActive: Bool? { state.last }

  /// Moves the app to the foreground.
  public func becomeActive() { state.set(true) }

  /// Moves the app to the background.
  public func resignActive() { state.set(false) }

  /// Returns each later change, in order.
  ///
  /// Any number of listeners may call it.
  public func changes() -> AsyncStream<Bool> {
    defer { listening.increase() }
    return state.events(keeping: .max).stream
  }

  /// Waits until this many have begun to listen, as Evocation does for an observed cache.
  ///
  /// - Returns: Whether they have begun; false when the task was canceled before.
  @discardableResult
  public func listeners(_ count: Int) async -> Bool { await listening.reach(count) }

  /// How many listeners there are now.
  package var listenerCount: Int { state.listenerCount }
}
