import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationHTTP
@testable import TransportSuite

/// What the events of known services say.
@Suite(.patient) struct LiveFormatTests {
  private typealias Change = HTTPFormat.Live.Change

  private func read(
    _ live: HTTPFormat.Live, _ name: String, _ data: String
  ) throws -> (topic: String?, changes: [Change])? {
    try live.read(ServerSentEvent(name: name, data: Data(data.utf8))).map { ($0.topic, $0.changes) }
  }

  private static let general: [(String, String, String?, [Change]?)] = [
    ("stored", #"{"path": "cars", "model": {}}"#, "cars", [.stored(at: "model")]),
    ("removed", #"{"path": "cars", "id": "a b"}"#, "cars", [.removed("a b")]),
    (
      "removed", #"{"path": "cars", "id": 18446744073709551615}"#, "cars",
      [.removed("18446744073709551615")]
    ),
    ("missed", #"{"path": "cars"}"#, "cars", [.missed]),
    ("stored", #"{"model": {}}"#, nil, [.missed]),
    ("removed", #"{"path": "cars", "id": {"a": 1}}"#, "cars", [.missed]),
    ("removed", #"{"path": "cars"}"#, "cars", [.missed]),
    ("stored", "no JSON", nil, [.missed]),
    ("stored", "[1]", nil, [.missed]),
    ("ping", "no JSON", nil, nil),
    ("message", #"{"path": "cars", "model": {}}"#, nil, nil),
  ]

  @Test(arguments: general)
  func `Events of the general form`(
    name: String, data: String, topic: String?, changes: [HTTPFormat.Live.Change]?
  ) throws {
    let found = try read(.events(path: "events"), name, data)
    #expect(found?.changes == changes)
    #expect(found?.topic == topic)
  }

  @Test func `Events that confirm a topic, or end the stream, are actions too`() throws {
    var table = HTTPFormat.Live.Table(action: .key("type"))
    table.topic = .key("of")
    (table.subscribed, table.ended) = (["ready"], ["refused": 403])
    let live = HTTPFormat.Live(.init("GET", "feed"), reading: table)
    #expect(live.confirmsTopics)
    #expect(!HTTPFormat.Live.events(path: "feed").confirmsTopics)
    for (data, topic, changes) in [
      (#"{"type": "ready", "of": "cars"}"#, "cars", [Change.subscribed]),
      (#"{"type": "ready"}"#, nil, [.subscribed]),
      (#"{"type": "refused", "of": "cars"}"#, "cars", [.ended(status: 403)]),
      (#"{"type": "refused"}"#, nil, [.ended(status: 403)]),
    ] {
      let found = try read(live, "message", data)
      #expect(found?.topic == topic)
      #expect(found?.changes == changes)
    }
  }

  @Test func `A message of JSON is an event with a name and an id from its keys`() throws {
    func event(_ json: String) throws -> ServerSentEvent {
      try ServerSentEvent(json: Data(json.utf8), name: "data.kind", "type", id: "seq")
    }
    let json = #"{"type": "next", "seq": 7, "data": {"kind": "CREATED"}}"#
    #expect(try event(json) == ServerSentEvent(name: "CREATED", data: Data(json.utf8), id: "7"))
    #expect(try event(#"{"type": "next", "data": {"kind": []}}"#).name == "next")
    #expect(try event("[1]").name == "message")
    #expect(try event("[1]").id == nil)
    #expect(throws: (any Error).self) { try event("no JSON") }
  }

  private static let pocketBase: [(String, String, [Change]?)] = [
    ("cars/*", #"{"action": "create", "record": {}}"#, [.stored(at: "record")]),
    ("cars/*", #"{"action": "update", "record": {}}"#, [.stored(at: "record")]),
    ("cars/*", #"{"action": "delete", "record": {"id": "x"}}"#, [.removed("x")]),
    ("cars/*", #"{"action": "other", "record": {"id": "x"}}"#, nil),
    ("cars/*", #"{"record": {"id": "x"}}"#, [.missed]),
    ("cars/*", "", [.missed]),
  ]

  @Test(arguments: pocketBase)
  func `Events of PocketBase`(
    name: String, data: String, changes: [HTTPFormat.Live.Change]?
  ) throws {
    let found = try read(.pocketBase, name, data)
    #expect(found?.changes == changes)
    if changes != nil { #expect(found?.topic == name) }
  }

  @Test func `A path of PocketBase is the topic of its collection`() {
    let live = HTTPFormat.Live.pocketBase
    #expect(live.topic("collections/cars/records") == "cars/*")
    #expect(live.topic("other/cars") == "other/cars")
    #expect(live.topic("") == "")
  }

  private static let firebase: [(String, String, [Change]?)] = [
    ("put", #"{"path": "/", "data": {"1": {"name": "a"}}}"#, [.missed]),
    ("put", #"{"path": "/", "data": null}"#, [.missed]),
    ("put", #"{"path": "/1", "data": {"name": "a"}}"#, [.stored(at: "data", id: "1")]),
    ("put", #"{"path": "/1", "data": null}"#, [.removed("1")]),
    ("put", #"{"path": "/1/name", "data": "b"}"#, [.missed]),
    (
      "patch", #"{"path": "/", "data": {"1": {"name": "a"}, "2": null, "3/name": "c"}}"#,
      [.stored(at: "data.1", id: "1"), .removed("2"), .missed]
    ),
    ("patch", #"{"path": "/1", "data": {"name": "b"}}"#, [.missed]),
    ("patch", #"{"path": "/", "data": 7}"#, [.missed]),
    ("put", #"{"data": 7}"#, [.missed]),
    ("put", "[]", [.missed]),
    ("keep-alive", "null", nil),
    ("cancel", "null", [.ended(status: 403)]),
    ("auth_revoked", "credential is no longer valid", [.ended(status: 401)]),
  ]

  @Test(arguments: firebase)
  func `Events of Firebase`(
    name: String, data: String, changes: [HTTPFormat.Live.Change]?
  ) throws {
    #expect(try read(.firebase, name, data)?.changes == changes)
  }

  @Test func `A table says where a service has what changed`() throws {
    var format = HTTPFormat.rest
    var events = HTTPFormat.Live.Table(action: .key("op"), stored: ["insert"], removed: ["delete"])
    events.topic = .key("table")
    events.model = "row"
    events.id = "row.id"
    format.live = HTTPFormat.Live(.init("GET", "feed"), reading: events)
    let found = try read(
      try #require(format.live), "any", #"{"op": "delete", "table": "cars", "row": {"id": 7}}"#)
    #expect(found?.topic == "cars")
    #expect(found?.changes == [.removed("7")])
    let event = ServerSentEvent(name: "stored", data: Data(#"{"path": "cars"}"#.utf8), id: "1042")
    #expect(event.id == "1042")
  }

  @Test func `A format of plain REST has a stream in a line`() async throws {
    struct Vehicle: Codable, Identifiable, Sendable, Hashable { var id: Int }
    let server = EventService()
    let service = try server.service()
    var format = HTTPFormat.rest
    format.live = .events(path: "events")
    let cars = HTTPRepository<Vehicle>(service, "cars", format: format)
    #expect(cars.sendsLiveChanges)
    #expect(try await Changes(cars)[0].text == "")
  }

  @Test func `A closure reads what no table describes`() async throws {
    var live = HTTPFormat.Live(.init("GET", "feed")) { event in
      guard event.name == "car" else { return nil }
      return .init(topic: "cars", [.stored(at: "body")])
    }
    live.topic = { $0 }
    let message = HTTPFormat.Live.Message(topic: "cars", [.stored(at: "body")])
    #expect(try live.read(ServerSentEvent(name: "car")) == message)
    #expect(try live.read(ServerSentEvent(name: "bus")) == nil)
    let server = EventService()
    let cars = Changes(HTTPRepository<Thing>(try server.service(), "cars", format: .live(live)))
    let connection = try await server.connection()
    connection.send("car", #"{"body": {"id": 1}}"#, id: "1")
    // Without `replays` an id is no mark.
    #expect(try await cars[1].text == "+1 ")
    connection.send("bus", "{}")
    connection.send("car", #"{"body": {"id": 2}}"#)
    #expect(try await cars[2].text == "+2 ")
  }

  @Test func `An event that the closure cannot read may concern all models`() async throws {
    struct Odd: Error {}
    let live = HTTPFormat.Live(.init("GET", "feed")) { _ in throw Odd() }
    let server = EventService()
    let service = try server.service()
    let cars = Changes(HTTPRepository<Thing>(service, "cars", format: .live(live)))
    let trips = Changes(HTTPRepository<Thing>(service, "trips", format: .live(live)))
    _ = try await (cars[0], trips[0])
    try await server.connection().send("data: x\n\n")
    #expect(try await cars[1].text == "")
    #expect(try await trips[1].text == "")
  }
}
