public import Foundation

/// Knows by notifications whether the app is active.
///
/// ```swift
/// let activity = NotificationActivity(
///   active: [Notification.Name("WindowShown")], inactive: [Notification.Name("WindowHidden")])
/// ```
///
/// It listens from when it is made until it is released. Until the first notification it is not
/// known whether the app is active. Safe to use from any thread.
public final class NotificationActivity: AppActivity {
  private let center: NotificationCenter
  private let tokens: Lock<[any NSObjectProtocol]>
  private let state = CurrentValue<Bool>(nil)

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - active: The notifications that say that the app is active.
  ///   - inactive: Those that say that it is not.
  ///   - center: Where they are posted.
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

  /// What the last notification said; nil before the first.
  public var isActive: Bool? { state.value }

  /// What a notification says that the one before it did not.
  public func changes() -> AsyncStream<Bool> { state.changes() }
}

#if canImport(Darwin)
  extension NotificationActivity {
    /// The app's, or the extension's, by the system's notifications.
    ///
    /// They are named by their texts, so that no framework is linked that an app does not use. An
    /// app on macOS is active as long as it is not hidden, because its windows are seen beside
    /// those of others.
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
