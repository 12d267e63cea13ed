/// Says whether the app is active: whether somebody may be looking at it.
///
/// What is observed is validated when the app becomes active, and not polled while it is known not
/// to be. ``NotificationActivity`` knows it from notifications; an app that learns it elsewhere
/// writes its own, and a test takes `ManualActivity`.
///
/// It is asked from any thread.
public protocol AppActivity: Sendable {
  /// Whether the app is active now; nil where that is not known.
  var isActive: Bool? { get }

  /// Whether the app is active, whenever that changes.
  ///
  /// A stream that ends leaves what it said last.
  func changes() -> AsyncStream<Bool>
}
