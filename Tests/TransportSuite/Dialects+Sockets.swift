#if os(macOS) || os(Linux)
  import EvocationHTTP

  // Streams over WebSockets that a page shows word for word, between the function's first line and its
  // last.
  extension Dialects {
    /// Supabase Realtime: the base URL is `https://….supabase.co/rest/v1`, the path a table's name.
    static func supabaseRealtime(key: String) -> HTTPFormat {
      var format = HTTPFormat.supabase(key: key)
      var socket = HTTPFormat.Live.WebSocket()
      socket.join = { topic, opening in
        let table = topic.dropFirst("realtime:".count)
        let token = opening.request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "\(key)"
        return """
          {"topic": "\(topic)", "event": "phx_join", "ref": "1", "payload": {"access_token": "\(token)",
          "config": {"postgres_changes": [{"event": "*", "schema": "public", "table": "\(table)"}]}}}
          """
      }
      socket.leave = { #"{"topic": "\#($0)", "event": "phx_leave", "ref": "2", "payload": {}}"# }
      socket.heartbeat = #"{"topic": "phoenix", "event": "heartbeat", "ref": "3", "payload": {}}"#
      socket.event = { try .init(json: $0, name: "payload.data.type", "payload.message", "event") }
      var changes = HTTPFormat.Live.Table(
        stored: ["INSERT", "UPDATE"], removed: ["DELETE"], missed: ["TRUNCATE"],
        model: "payload.data.record", id: "payload.data.old_record.id")
      changes.topic = .key("topic")
      changes.subscribed = ["Subscribed to PostgreSQL"]
      changes.ended = ["phx_error": 503]
      let path = "../../realtime/v1/websocket?vsn=1.0.0&apikey=\(key)"
      format.live = .webSocket(path, reading: changes, over: socket)
      format.live?.topic = { "realtime:\($0)" }
      return format
    }

    /// GraphQL subscriptions: the base URL is that of the service, the path as `cars`.
    static func graphQLSubscriptions() -> HTTPFormat {
      var format = HTTPFormat.rest
      var socket = HTTPFormat.Live.WebSocket()
      socket.subprotocols = ["graphql-transport-ws"]
      socket.begin = { opening in
        let token = opening.request.headers["Authorization"] ?? ""
        return [#"{"type": "connection_init", "payload": {"Authorization": "\#(token)"}}"#]
      }
      socket.join = { topic, _ in
        let query = "subscription { changes: \(topic)Changed { kind model { id name } } }"
        return #"{"type": "subscribe", "id": "\#(topic)", "payload": {"query": "\#(query)"}}"#
      }
      socket.leave = { #"{"type": "complete", "id": "\#($0)"}"# }
      socket.heartbeat = #"{"type": "ping"}"#
      socket.answers = ["ping": #"{"type": "pong"}"#]
      socket.event = { try .init(json: $0, name: "payload.data.changes.kind", "type") }
      var changes = HTTPFormat.Live.Table(
        stored: ["CREATED", "UPDATED"], removed: ["REMOVED"], missed: ["next"],
        model: "payload.data.changes.model", id: "payload.data.changes.model.id")
      changes.topic = .key("id")
      changes.subscribed = ["pong"]
      changes.ended = ["error": 400, "complete": 503]
      format.live = .webSocket("graphql", reading: changes, over: socket)
      format.live?.greeting = "connection_ack"
      return format
    }
  }
#endif
