/// Reports whether the app is active, so that a user may be looking at it.
///
/// Evocation validates observed caches when the app becomes active, and does not poll while the app
/// is known to be inactive. ``NotificationActivity`` learns the activity from notifications. Write
/// your own conformance if your app learns it in another way, and pass `ManualActivity` in a test.
///
/// Evocation calls it from any thread.
///
/// An app that never leaves the screen says so:
///
/// ```swift
/// struct KioskActivity: AppActivity {
///   var isActive: Bool? { true }
///
///   func changes() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
/// }
/// ```
public protocol AppActivity: Sendable {
  /// Whether the app is active now; nil if that is unknown.
  var isActive: Bool? { get }

  /// Returns a stream of later changes: true when the app becomes active, and false when it ceases
  /// to be.
  ///
  /// If the stream ends, its last value stays valid. Each call returns another stream, for one
  /// reader.
  func changes() -> AsyncStream<Bool>
}
