import EvocationHTTP
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// The recipes for services whose events come over WebSockets, against what their pages say is sent.
  @Suite(.patient) struct LiveRecipeTests {
    private func messages(_ socket: HandSocket) throws -> [[String: Any]] {
      try socket.sent.elements.map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
      }
    }

    @Test func `Supabase Realtime sends a table's changes over a channel that has joined`()
      async throws
    {
      let server = SocketService()
      let service = try server.service("https://x.supabase.co/rest/v1") {
        $0.authorization = { _ in "Bearer jwt" }
      }
      let format = Dialects.supabaseRealtime(key: "anon")
      let cars = Changes(HTTPRepository<Thing>(service, "cars", format: format))
      let socket = try await server.socket()
      #expect(
        socket.request.url.absoluteString
          == "wss://x.supabase.co/realtime/v1/websocket?vsn=1.0.0&apikey=anon")
      try await eventually("the join and the heartbeat") { socket.sent.elements.count == 2 }
      let join = try messages(socket)[0]
      #expect(join["topic"] as? String == "realtime:cars")
      #expect(join["event"] as? String == "phx_join")
      let payload = join["payload"] as? [String: Any]
      #expect(payload?["access_token"] as? String == "jwt")
      socket.say(
        #"{"ref": "1", "event": "phx_reply", "payload": {"status": "ok", "response": {}}, "topic": "realtime:cars"}"#
      )
      socket.say(
        #"{"ref": "3", "event": "phx_reply", "payload": {"status": "ok", "response": {}}, "topic": "phoenix"}"#
      )
      #expect(cars.elements.elements.isEmpty)
      socket.say(
        #"{"ref": null, "event": "system", "payload": {"channel": "cars", "extension": "postgres_changes", "message": "Subscribed to PostgreSQL", "status": "ok"}, "topic": "realtime:cars"}"#
      )
      #expect(try await cars[0].text == "")
      for (type, record, old) in [
        ("INSERT", #"{"id": 7, "name": "Fiat"}"#, "{}"),
        ("DELETE", "{}", #"{"id": 7}"#),
      ] {
        socket.say(
          #"{"ref": null, "event": "postgres_changes", "payload": {"ids": [1], "data": {"schema": "public", "table": "cars", "type": "\#(type)", "errors": null, "record": \#(record), "old_record": \#(old)}}, "topic": "realtime:cars"}"#
        )
      }
      #expect(try await cars[1].text == "+7 ")
      #expect(try await cars[2].text == "-7 ")
      socket.say(#"{"ref": "1", "event": "phx_error", "payload": {}, "topic": "realtime:cars"}"#)
      #expect(await cars.error?.code == .server)
    }

    @Test func `A GraphQL subscription is joined after its greeting, and confirmed by a pong`()
      async throws
    {
      let server = SocketService()
      let service = try server.service { $0.authorization = { _ in "Bearer jwt" } }
      let format = Dialects.graphQLSubscriptions()
      let cars = Changes(HTTPRepository<Thing>(service, "cars", format: format))
      let socket = try await server.socket()
      #expect(socket.request.headers["Sec-WebSocket-Protocol"] == "graphql-transport-ws")
      try await eventually("the beginning") { socket.sent.elements.count == 1 }
      let begin = try messages(socket)[0]
      #expect(begin["type"] as? String == "connection_init")
      #expect((begin["payload"] as? [String: String]) == ["Authorization": "Bearer jwt"])
      socket.say(#"{"type": "connection_ack"}"#)
      try await eventually("the subscription and a ping") { socket.sent.elements.count == 3 }
      #expect(try messages(socket)[1]["id"] as? String == "cars")
      #expect(try messages(socket)[2]["type"] as? String == "ping")
      #expect(cars.elements.elements.isEmpty)
      socket.say(#"{"type": "pong"}"#)
      #expect(try await cars[0].text == "")
      socket.say(#"{"type": "ping"}"#)
      for (number, (kind, text)) in [
        ("CREATED", "+7 "), ("UPDATED", "+7 "), ("REMOVED", "-7 "),
      ].enumerated() {
        socket.say(
          #"{"id": "cars", "type": "next", "payload": {"data": {"changes": {"kind": "\#(kind)", "model": {"id": 7, "name": "Fiat"}}}}}"#
        )
        #expect(try await cars[number + 1].text == text)
      }
      #expect(try messages(socket)[3]["type"] as? String == "pong")
      socket.say(#"{"id": "cars", "type": "next", "payload": {"data": null, "errors": []}}"#)
      #expect(try await cars[4].text == "")
      socket.say(#"{"id": "cars", "type": "error", "payload": [{"message": "No."}]}"#)
      #expect(await cars.error?.status == 400)
    }
  }
#endif
