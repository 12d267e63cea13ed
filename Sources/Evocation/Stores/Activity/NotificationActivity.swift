public import Foundation

/// Learns from notifications whether the app is active.
///
/// ```swift
/// let activity = NotificationActivity(
///   active: [Notification.Name("WindowShown")], inactive: [Notification.Name("WindowHidden")])
/// ```
///
/// It listens from its creation until it is released. Before the first notification, the activity
/// is unknown. You can use it from any thread.
public final class NotificationActivity: AppActivity {
  private let center: NotificationCenter
  private let tokens: Lock<[any NSObjectProtocol]>
  private let state = Broadcast<Bool>(last: nil)

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - active: The notifications that say that the app is active.
  ///   - inactive: The notifications that say that the app is inactive.
  ///   - center: The center that posts them.
  public init(
    active: [Notification.Name], inactive: [Notification.Name],
    center: NotificationCenter = .default
  ) {
    self.center = center
    let names = active.map { ($0, true) } + inactive.map { ($0, false) }
    tokens = Lock(
      names.map { [state] name, isActive in
        center.addObserver(forName: name, object: nil, queue: nil) { _ in state.set(isActive) }
      })
  }

  deinit {
    for token in tokens.withLock({ $0 }) { center.removeObserver(token) }
  }

  /// The activity that the last notification reported; nil before the first one.
  public var isActive: Bool? { state.last }

  /// Returns a stream of later changes.
  public func changes() -> AsyncStream<Bool> { state.events(keeping: 1).stream }
}

#if canImport(Darwin)
  extension NotificationActivity {
    /// The activity of the app, or of the extension, by the system's notifications.
    ///
    /// It refers to them by their names as text, so that your app links no framework that it does
    /// not use. An app on macOS is active while it is not hidden, because its windows are visible
    /// beside those of other apps.
    public static let system = NotificationActivity(
      active: names(
        "UIApplicationDidBecomeActive", "UIApplicationWillEnterForeground",
        "NSApplicationDidBecomeActive", "NSApplicationDidUnhide", "WKApplicationDidBecomeActive",
        "NSExtensionHostDidBecomeActive"),
      inactive: names(
        "UIApplicationDidEnterBackground", "NSApplicationDidHide",
        "WKApplicationDidEnterBackground",
        "NSExtensionHostDidEnterBackground"))

    private static func names(_ names: String...) -> [Notification.Name] {
      names.map { Notification.Name($0 + "Notification") }
    }
  }
#endif
