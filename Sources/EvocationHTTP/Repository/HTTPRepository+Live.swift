public import Evocation
import Foundation

extension HTTPRepository {
  /// Whether ``HTTPFormat/live`` describes how the service sends changes.
  public var sendsLiveChanges: Bool { client.format.live != nil }

  /// True: each stream begins with an element when the service has accepted it.
  public var announcesConnection: Bool { true }

  /// Returns what changes from now on, by ``HTTPFormat/live``.
  ///
  /// The stream joins the connection when it is first read. All models of the service share the
  /// connection, which ends with the last of their streams. The first element has no models:
  ///
  /// - With the mark, if the service sends what was missed since. A model that joins an open connection
  ///   has its mark confirmed only if nothing has happened since.
  /// - Without a mark otherwise.
  ///
  /// - Parameter mark: The mark of the last change that the local store has; nil if there is none.
  /// - Returns: The changes. The stream ends with an ``HTTPError``, whose
  ///   ``HTTPError/retryAfter`` is the wait that the service asked for.
  public func liveChanges(
    since mark: String?
  ) -> AsyncThrowingStream<RemoteChanges<Model>, any Error> {
    let reader = LiveReader(self, LiveFollower(client, since: mark))
    return AsyncThrowingStream { try await reader.next() }
  }
}
