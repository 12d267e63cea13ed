public import Foundation

/// One event of a stream of server-sent events, as the HTML standard defines them.
///
/// ```swift
/// let event = ServerSentEvent(name: "stored", data: Data(#"{"path": "cars"}"#.utf8), id: "1042")
/// ```
public struct ServerSentEvent: Sendable, Hashable {
  /// The name of the event; `message` if the service named none.
  public var name: String

  /// The lines of the event's data, with a line feed between two of them.
  public var data: Data

  /// The last id that the stream had up to this event; nil if it had none.
  public var id: String?

  /// Creates an event, for tests of a format.
  public init(name: String = "message", data: Data = Data(), id: String? = nil) {
    self.name = name
    self.data = data
    self.id = id
  }
}
