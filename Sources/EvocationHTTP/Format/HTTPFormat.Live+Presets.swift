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

  /// Returns the stream of a relay that sends the `postgres_changes` of Supabase as events.
  ///
  /// Supabase Realtime itself speaks over a WebSocket. A relay of your own, such as an edge function,
  /// sends the payload of each message as the data of an event named `postgres_changes`:
  ///
  /// ```text
  /// event: postgres_changes
  /// data: {"data": {"table": "cars", "type": "DELETE", "record": {}, "old_record": {"id": 7}}}
  /// ```
  ///
  /// - Parameter path: The address of the relay below the base URL.
  /// - Returns: The stream.
  public static func postgresChanges(path: String) -> HTTPFormat.Live {
    var table = Table(
      action: .key("data.type"), stored: ["INSERT", "UPDATE"], removed: ["DELETE"],
      missed: ["TRUNCATE"], model: "data.record", id: "data.old_record.id")
    table.names = ["postgres_changes"]
    table.topic = path.contains("{path}") ? nil : .key("data.table")
    return HTTPFormat.Live(.init("GET", path), reading: table)
  }

  /// The stream of the Firebase Realtime Database, one for each list of models.
  ///
  /// Firebase begins a stream with the whole list, which Evocation ignores, because it fetches the list
  /// by then. A change of a part of a model makes Evocation fetch what the app observes.
  public static let firebase: HTTPFormat.Live = {
    var live = HTTPFormat.Live(.init("GET", "{path}.json")) { try FirebaseEvent.message(of: $0) }
    live.greeting = "put"
    live.greetingTimeout = .seconds(30)
    live.maximumEventSize = .max
    return live
  }()
}

/// Reads the events of Firebase's streams, whose data are a path below the list and what is there now.
private enum FirebaseEvent {
  typealias Change = HTTPFormat.Live.Change

  /// Returns what an event says.
  ///
  /// - A `put` at the path of a model has the whole model, or null for a removed one.
  /// - A `patch` of the list has whole models, or parts of some if a key contains a slash.
  /// - A `put` of the list and any change inside a model say that something has changed.
  static func message(of event: ServerSentEvent) throws -> HTTPFormat.Live.Message? {
    switch event.name {
    case "cancel": return .init([.ended(status: 403)])
    case "auth_revoked": return .init([.ended(status: 401)])
    case "put", "patch": break
    default: return nil
    }
    let json = try JSONSerialization.jsonObject(with: event.data) as? [String: Any]
    guard let path = json?["path"] as? String, let data = json?["data"] else {
      return .unreadable()
    }
    let keys = path.split(separator: "/").map(String.init)
    if event.name == "put", keys.count == 1 {
      return .init([change(of: keys[0], to: data, at: "data")])
    }
    guard event.name == "patch", keys.isEmpty, let models = data as? [String: Any] else {
      return .init([.missed])
    }
    return .init(
      models.keys.sorted().map { key in
        key.contains("/")
          ? .missed : change(of: key, to: models[key] ?? NSNull(), at: "data.\(key)")
      })
  }

  private static func change(of id: String, to data: Any, at place: String) -> Change {
    data is NSNull ? .removed(id) : .stored(at: place, id: id)
  }
}
