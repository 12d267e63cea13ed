import Evocation
import EvocationHTTP
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import TransportSuite

/// What a repository's stream says, for services of each kind.
@Suite(.patient) struct HTTPRepositoryLiveTests {
  /// The topics of each subscription so far, and its client.
  private func subscriptions(_ server: EventService) throws -> [String] {
    try server.asked.elements.map { request in
      #expect(request.method == "POST")
      #expect(request.url.path() == "/api/realtime")
      #expect(request.headers["Content-Type"] == "application/json")
      let json = try JSONSerialization.jsonObject(with: request.body ?? Data()) as? [String: Any]
      let topics = json?["subscriptions"] as? [String] ?? []
      return "\(json?["clientId"] ?? "nobody"): \(topics.joined(separator: " "))"
    }
  }

  private func greet(_ connection: EventService.Connection) {
    connection.send("PB_CONNECT", #"{"clientId": "c1"}"#, id: "c1")
  }

  @Test func `PocketBase is subscribed to the models that are followed, and again as they change`()
    async throws
  {
    let server = EventService { $0.isStreamed ? nil : (204, [:], "") }
    let service = try server.service()
    func follow(_ name: String) -> Changes<Thing> {
      Changes(HTTPRepository(service, "collections/\(name)/records", format: .pocketBase))
    }
    let cars = follow("cars")
    let connection = try await server.connection()
    #expect(connection.request.url.path() == "/api/realtime")
    #expect(server.asked.elements.isEmpty)
    greet(connection)
    #expect(try await cars[0].text == "")
    #expect(try subscriptions(server) == ["c1: cars/*"])
    let trips = follow("trips")
    #expect(try await trips[0].text == "")
    #expect(try subscriptions(server).last == "c1: cars/* trips/*")
    connection.send("cars/*", #"{"action": "create", "record": {"id": 1}}"#, id: "c1")
    connection.send("trips/*", #"{"action": "delete", "record": {"id": 2}}"#, id: "c1")
    #expect(try await cars[1].text == "+1 ")
    #expect(try await trips[1].text == "-2 ")
    cars.cancel()
    try await eventually("the last subscription") { server.asked.elements.count == 3 }
    #expect(try subscriptions(server).last == "c1: trips/*")
    #expect(server.connections.elements.count == 1)
  }

  @Test
  func `A subscription that is refused ends the stream, and so does a greeting of another form`()
    async throws
  {
    let refusing = EventService { $0.isStreamed ? nil : (403, [:], #"{"message": "No."}"#) }
    let cars = Changes(
      HTTPRepository<Thing>(try refusing.service(), "cars", format: .pocketBase))
    greet(try await refusing.connection())
    let error = await cars.error
    #expect(error?.code == .unauthorized)
    #expect(error?.method == "POST")
    #expect(error?.message == "No.")
    let server = EventService()
    let others = Changes(HTTPRepository<Thing>(try server.service(), "cars", format: .pocketBase))
    try await server.connection().send("PB_CONNECT", "{}")
    #expect(await others.error?.code == .undecodable)
    #expect(await others.error?.reason == "a greeting that does not decode")
  }

  @Test func `Changes have the versions of their models, where these are a property`() async throws
  {
    var format = HTTPFormat.kinto
    format.version = .property("rev")
    format.live = .events(path: "events")
    let server = EventService()
    let cars = Changes(HTTPRepository<Thing>(try server.service(), "cars", format: format))
    let connection = try await server.connection()
    connection.send("stored", #"{"path": "cars", "model": {"id": 1, "rev": 7}}"#)
    #expect(try await cars[1].versions == ["7"])
    connection.send("stored", #"{"path": "cars", "model": [{"id": 1, "rev": 8}, {"id": 2}]}"#)
    #expect(try await cars[2].versions == ["8", nil])
    #expect(try await cars[2].stored == [Thing(id: 1, rev: 8), Thing(id: 2)])
  }

  @Test func `Firebase has a stream for each list, whose models have their ids from the path`()
    async throws
  {
    var format = HTTPFormat.rest
    format.routes = .firebase
    format.listsByID = true
    format.live = .firebase
    let server = EventService()
    let cars = Changes(HTTPRepository<Thing>(try server.service(), "cars", format: format))
    let connection = try await server.connection()
    #expect(connection.request.url.path() == "/api/cars.json")
    connection.send("put", #"{"path": "/", "data": {"1": {"name": "a"}}}"#)
    #expect(try await cars[0].text == "")
    connection.send("keep-alive", "null")
    connection.send("put", #"{"path": "/7", "data": {"name": "b"}}"#)
    #expect(try await cars[1].stored == [Thing(id: 7, name: "b")])
    connection.send("patch", #"{"path": "/", "data": {"8": {"name": "c"}, "7": null}}"#)
    #expect(try await cars[2].text == "+8 -7 ")
    connection.send("patch", #"{"path": "/8", "data": {"name": "d"}}"#)
    #expect(try await cars[3].text == "")
    connection.send("auth_revoked", "credential is no longer valid")
    let error = await cars.error
    #expect(error?.code == .unauthorized)
    #expect(error?.status == 401)
  }

  @Test func `Events that wait come together, each model as it came last`() async throws {
    var format = HTTPFormat.live(.events(path: "events", replays: true))
    format.version = .property("rev")
    let server = EventService()
    let cars = HTTPRepository<Thing>(try server.service(), "cars", format: format)
    var changes = cars.liveChanges(since: nil).makeAsyncIterator()
    _ = try await changes.next()
    let connection = try await server.connection()
    for (id, rev) in [(1, 1), (2, 1), (1, 2)] {
      connection.send(
        "stored", #"{"path": "cars", "model": {"id": \#(id), "rev": \#(rev)}}"#, id: "\(id)\(rev)")
    }
    connection.send("removed", #"{"path": "cars", "id": 2}"#, id: "4")
    connection.end()
    var all: [RemoteChanges<Thing>] = []
    while let next = try? await changes.next() { all.append(next) }
    // How many wait at a time is not known; what they leave is.
    var models: [Int: Int?] = [:]
    for each in all {
      #expect(Set(each.stored.map(\.id)).count == each.stored.count)
      #expect(each.versions == each.stored.map { $0.rev.map { "\($0)" } })
      for model in each.stored { models[model.id] = model.rev }
      for id in each.removed { models[Int(id) ?? 0] = nil }
    }
    #expect(models == [1: 2])
    #expect(all.last?.mark == "4")
  }

  @Test func `What does not decode ends no stream, whatever it is`() async throws {
    let server = EventService()
    let cars = Changes(
      HTTPRepository<Thing>(
        try server.service(), "cars",
        format: .live(.events(path: "{path}/events", replays: true))))
    let connection = try await server.connection()
    let hostile = [
      #"{"model": null}"#, #"{"model": 7}"#, #"{"model": {"id": 1e400}}"#,
      #"{"model": {"id": 99999999999999999999}}"#, #"{"model": [{"id": 1}, {}]}"#, #"{"model""#,
      "\u{0}", String(repeating: "[", count: 100_000),
    ]
    for (number, data) in hostile.enumerated() {
      connection.send("stored", data, id: "1")
      #expect(try await cars[number + 1].text == "")
    }
    connection.send("stored", #"{"model": []}"#, id: "2")
    #expect(try await cars[hostile.count + 1].text == "@2")
    connection.send("removed", #"{"id": "'; DROP TABLE cars; --"}"#, id: "3")
    #expect(try await cars[hostile.count + 2].text == "-'; DROP TABLE cars; -- @3")
  }

  #if os(macOS) || os(Linux)
    @Test func `A stream over the system's session: a 401, a redirect, cut text, and the end`()
      async throws
    {
      let text = "event: stored\r\ndata: {\"model\": {\"id\": 1, \"name\": \"Škoda 🚗\"}}\r\n\r\n"
      let server = try RawServer { line in
        guard line.head.lowercased().contains("authorization: good") else {
          return line.begin("401 Unauthorized", "Content-Length: 0")
        }
        guard line.head.hasPrefix("GET /live ") else {
          return line.begin("307 Temporary Redirect", "Location: /live", "Content-Length: 0")
        }
        line.begin("200 OK", "Transfer-Encoding: chunked")
        for byte in Array(": hello\n\nretry: 3000\n\n\(text)".utf8) {
          line.write([0x31, 0x0D, 0x0A, byte, 0x0D, 0x0A])
        }
      }
      var configuration = HTTPService.Configuration()
      configuration.authorization = { $0 == .refusal ? "good" : "old" }
      let cars = Changes(
        HTTPRepository<Thing>(
          HTTPService(server.url, configuration: configuration), "cars",
          format: .live(.events(path: "{path}/events"))))
      #expect(try await cars[0].text == "")
      #expect(try await cars[1].stored == [Thing(id: 1, name: "Škoda 🚗")])
      let error = await cars.error
      #expect(error?.code == .connectionLost)
      #expect(error?.retryAfter == .seconds(3))
      #expect(error?.url?.path() == "/cars/events")
    }

    @Test func `Many streams leave room for requests, and each ends with its reader`() async throws
    {
      let server = try RawServer { line in
        guard line.head.contains("/events ") else {
          line.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]")
          return
        }
        line.begin()
        line.waitForEnd()
      }
      let service = HTTPService(server.url)
      let streams = (0..<20).map { number in
        Changes(
          HTTPRepository<Thing>(
            service, "things\(number)", format: .live(.events(path: "{path}/events"))))
      }
      for stream in streams { #expect(try await stream[0].text == "") }
      #expect(try await HTTPRepository<Thing>(service, "things").find(Criteria()).value == [])
      for stream in streams { stream.cancel() }
      for line in server.lines.elements where line.head.contains("/events ") { await line.end }
      #expect(server.lines.elements.count == 21)
    }
  #endif
}
