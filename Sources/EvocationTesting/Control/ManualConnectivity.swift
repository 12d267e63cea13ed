public import Evocation

/// A connection that goes online and offline when your test says so.
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
  private let state: Broadcast<Bool>
  private let listening = Gate.Counter()

  /// Creates a connection.
  public init(isOnline: Bool = true) {
    state = Broadcast(last: isOnline)
  }

  /// Whether the app is online.
  public var isOnline: Bool { state.last == true }

  /// Goes online.
  public func goOnline() { state.set(true) }

  /// Goes offline.
  public func goOffline() { state.set(false) }

  /// Returns each later change, in order.
  ///
  /// Any number of listeners may call it.
  public func changes() -> AsyncStream<Bool> {
    defer { listening.increase() }
    return state.events(keeping: .max).stream
  }

  /// Waits until this many have begun to listen, as an outbox with writes does.
  ///
  /// - Returns: Whether they have begun; false when the task was canceled before.
  @discardableResult
  public func listeners(_ count: Int) async -> Bool { await listening.reach(count) }
}
