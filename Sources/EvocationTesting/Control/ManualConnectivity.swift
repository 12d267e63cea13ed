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
  private let state: CurrentValue<Bool>
  private let listening = Gate.Counter()

  /// Makes a connection.
  public init(isOnline: Bool = true) {
    state = CurrentValue(isOnline)
  }

  /// Whether services can be reached; to set it is told to all who listen, where it changes.
  public var isOnline: Bool {
    get { state.value == true }
    set { state.set(newValue) }
  }

  /// The connection is there.
  public func goOnline() { isOnline = true }

  /// The connection is gone.
  public func goOffline() { isOnline = false }

  /// Each later change, in order; any number may listen.
  public func changes() -> AsyncStream<Bool> {
    defer { listening.increase() }
    return state.changes(.unbounded)
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
