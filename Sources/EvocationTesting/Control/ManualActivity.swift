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
  private let state: CurrentValue<Bool>
  private let listening = Gate.Counter()

  /// Makes an activity; by default it is not known whether the app is active.
  public init(isActive: Bool? = nil) {
    state = CurrentValue(isActive)
  }

  /// Whether the app is active; nil until that is known.
  public var isActive: Bool? { state.value }

  /// The app is active.
  public func becomeActive() { state.set(true) }

  /// The app is no longer active.
  public func resignActive() { state.set(false) }

  /// Each later change, in order; any number may listen.
  public func changes() -> AsyncStream<Bool> {
    defer { listening.increase() }
    return state.changes(.unbounded)
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
  package var listenerCount: Int { state.listenerCount }
}
