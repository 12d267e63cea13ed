import Evocation
public import Foundation

/// One event of a stream of server-sent events, as the HTML standard defines them, or of another source.
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

  /// Creates an event, for a source of your own and for tests of a format.
  public init(name: String = "message", data: Data = Data(), id: String? = nil) {
    self.name = name
    self.data = data
    self.id = id
  }
  /// Creates the event of a message that is JSON.
  ///
  /// Keys may contain dots for nested objects, such as `payload.type`.
  ///
  /// - Parameters:
  ///   - json: The message, which is the event's data.
  ///   - keys: The keys of the name; the first one that has a text or a number counts.
  ///   - id: The key of the id, if events have one.
  /// - Throws: An error if the message is not JSON.
  public init(json: Data, name keys: String..., id: String? = nil) throws {
    let message = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    func text(_ key: String) -> String? { JSONPlace.text(message, at: key) }
    self.init(name: keys.lazy.compactMap(text).first ?? "message", data: json, id: id.flatMap(text))
  }
}
