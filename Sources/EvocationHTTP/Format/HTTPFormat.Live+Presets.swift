import Foundation

// Streams of known services. The article "Connecting your service" tells how they differ.
extension HTTPFormat.Live {
  /// Returns the stream of a service that sends events named `stored`, `removed` and `missed`.
  ///
  /// ```text
  /// id: 1042
  /// event: stored
  /// data: {"path": "cars", "model": {"id": 7, "name": "Fiat"}}
  ///
  /// id: 1043
  /// event: removed
  /// data: {"path": "cars", "id": 7}
  /// ```
  ///
  /// The `path` is that of the repository. If the address contains `{path}`, each model type has its
  /// own stream, and events need no `path`. The `model` may be an array of models. An event `missed`
  /// says that changes may have been missed. The service sends a comment at least every 30 seconds.
  ///
  /// - Parameters:
  ///   - path: The address of the stream below the base URL.
  ///   - replays: Whether the service reads the header field `Last-Event-ID`, and first sends the events
  ///     after the one that it names. Of a service that does not, Evocation would not fetch what was
  ///     missed while there was no connection.
  /// - Returns: The stream.
  public static func events(path: String, replays: Bool = false) -> HTTPFormat.Live {
    var table = Table()
    table.topic = path.contains("{path}") ? nil : .key("path")
    var live = HTTPFormat.Live(.init("GET", path), reading: table)
    live.replays = replays
    return live
  }

  /// The stream of PocketBase, which one request subscribes to collections.
  ///
  /// PocketBase sends no heartbeats, and ends a stream after five minutes without an event. A proxy in
  /// front of it must not buffer `text/event-stream`.
  public static let pocketBase: HTTPFormat.Live = {
    var table = Table(
      action: .key("action"), stored: ["create", "update"], removed: ["delete"], missed: [],
      model: "record", id: "record.id")
    table.topic = .name
    var live = HTTPFormat.Live(.init("GET", "realtime"), reading: table)
    live.greeting = "PB_CONNECT"
    live.longestSilence = .seconds(360)
    live.topic = { path in
      let parts = path.split(separator: "/")
      return parts.count > 1 && parts[0] == "collections" ? "\(parts[1])/*" : path
    }
    live.subscription = .init(.init("POST", "realtime")) { greeting, topics in
      struct Body: Encodable {
        let clientId: String
        let subscriptions: [String]
      }
      struct Greeting: Decodable { let clientId: String }
      let client = try JSONDecoder().decode(Greeting.self, from: greeting?.data ?? Data())
      return try JSONEncoder().encode(Body(clientId: client.clientId, subscriptions: topics))
    }
    return live
  }()
}
