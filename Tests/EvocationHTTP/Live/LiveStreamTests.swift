import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

/// The connection that the models of a service share.
@Suite(.patient) struct LiveStreamTests {
  private let events = HTTPFormat.live(.events(path: "events", replays: true))

  @Test func `Two models share a connection, and each gets its own changes`() async throws {
    let server = EventService()
    let service = try server.service()
    let cars = Changes(HTTPRepository<Thing>(service, "cars", format: events))
    let trips = Changes(HTTPRepository<Thing>(service, "trips", format: events))
    let connection = try await server.connection()
    #expect(connection.request.method == "GET")
    #expect(connection.request.url.absoluteString == "https://example.com/api/events")
    #expect(connection.request.headers["Accept"] == "text/event-stream")
    #expect(connection.request.timeout == .seconds(90))
    #expect(connection.start == nil)
    #expect(try await cars[0].text == "")
    #expect(try await trips[0].text == "")
    connection.send(": heartbeat\n\n")
    connection.send("stored", #"{"path": "cars", "model": {"id": 1}}"#, id: "10")
    connection.send("stored", #"{"path": "trips", "model": [{"id": 2}, {"id": 3}]}"#, id: "11")
    connection.send("other", #"{"path": "cars", "model": {"id": 1}}"#, id: "12")
    connection.send("stored", #"{"path": "planes", "model": {"id": 1}}"#, id: "12")
    connection.send("removed", #"{"path": "cars", "id": 9007199254740993}"#, id: "13")
    connection.send("missed", #"{"path": "cars"}"#, id: "14")
    #expect(try await cars[1].text == "+1 @10")
    #expect(try await cars[2].text == "-9007199254740993 @13")
    #expect(try await cars[3].text == "")
    #expect(try await trips[1].text == "+2 +3 @11")
    #expect(server.connections.elements.count == 1)
  }

  @Test func `The connection ends with its last model, and the next one opens another`()
    async throws
  {
    let server = EventService()
    let service = try server.service()
    let cars = Changes(HTTPRepository<Thing>(service, "cars", format: events))
    let trips = Changes(HTTPRepository<Thing>(service, "trips", format: events))
    let connection = try await server.connection()
    _ = (try await cars[0], try await trips[0])
    cars.cancel()
    _ = await cars.end
    connection.send("stored", #"{"path": "trips", "model": {"id": 1}}"#)
    #expect(try await trips[1].text == "+1 ")
    #expect(!connection.isOver)
    trips.cancel()
    try await eventually("the end") { connection.isOver }
    let again = Changes(HTTPRepository<Thing>(service, "cars", format: events))
    _ = try await (server.connection(1), again[0])
    #expect(server.connections.elements.count == 2)
  }

  @Test func `A stream that is dropped unread opens nothing, and one that was read leaves nothing`()
    async throws
  {
    let server = EventService()
    let service = try server.service()
    let cars = HTTPRepository<Thing>(service, "cars", format: events)
    _ = cars.liveChanges(since: nil)
    do {
      var iterator = cars.liveChanges(since: nil).makeAsyncIterator()
      _ = try await iterator.next()
    }
    let connection = try await server.connection()
    try await eventually("the end") { connection.isOver }
    #expect(server.connections.elements.count == 1)
  }

  @Test func `Nothing keeps the service alive when no stream is read any more`() async throws {
    let server = EventService()
    weak var service: HTTPService?
    do {
      let made = try server.service()
      service = made
      let cars = Changes(HTTPRepository<Thing>(made, "cars", format: events))
      _ = try await cars[0]
      cars.cancel()
    }
    try await eventually("the service to be let go") { service == nil }
  }

  @Test func `The end of a connection is an error of every stream, with the wait of retry`()
    async throws
  {
    let server = EventService()
    let service = try server.service()
    let cars = Changes(HTTPRepository<Thing>(service, "cars", format: events))
    let trips = Changes(HTTPRepository<Thing>(service, "trips", format: events))
    let connection = try await server.connection()
    connection.send("retry: 7000\n")
    connection.send("stored", #"{"path": "trips", "model": {"id": 1}}"#)
    _ = (try await cars[0], try await trips[0])
    connection.end()
    for changes in [cars, trips] {
      let error = await changes.error
      #expect(error?.code == .connectionLost)
      #expect(error?.failureKind == .transient)
      #expect(error?.retryAfter == .seconds(7))
      #expect(error?.url?.path() == "/api/events")
    }
    // What had arrived is not lost.
    #expect(trips.elements.elements.map(\.text) == ["", "+1 "])
  }

  @Test func `A lost connection goes on from the oldest mark`() async throws {
    let server = EventService()
    let service = try server.service()
    let (cars, trips) = (
      HTTPRepository<Thing>(service, "cars", format: events),
      HTTPRepository<Thing>(service, "trips", format: events)
    )
    let first = Changes(cars, since: "4")
    let connection = try await server.connection()
    #expect(connection.start == "4")
    #expect(try await first[0].text == "@4")
    // Begun after the other, whose mark the connection went on from.
    let other = Changes(trips)
    #expect(try await other[0].text == "")
    for number in 5...6 {
      let path = number == 5 ? "cars" : "trips"
      connection.send("stored", #"{"path": "\#(path)", "model": {"id": 1}}"#, id: "\(number)")
    }
    _ = try await (first[1], other[1])
    connection.end(URLError(.networkConnectionLost))
    _ = await (first.error, other.error)
    let second = (Changes(cars, since: "5"), Changes(trips, since: "6"))
    #expect(try await second.0[0].text == "@5")
    #expect(try await second.1[0].text == "@6")
    #expect(["5", "6"].contains(try await server.connection(1).start))
  }

  @Test func `A service is not taken to send what was missed, whatever ids it sends`()
    async throws
  {
    let server = EventService()
    let cars = HTTPRepository<Thing>(
      try server.service(), "cars", format: .live(.events(path: "events")))
    let changes = Changes(cars, since: "4")
    let connection = try await server.connection()
    #expect(connection.start == nil)
    #expect(try await changes[0].text == "")
    connection.send("stored", #"{"path": "cars", "model": {"id": 1}}"#, id: "5")
    #expect(try await changes[1].text == "+1 ")
  }

  @Test func `A slow reader holds the connection back`() async throws {
    let server = EventService()
    let cars = HTTPRepository<Thing>(try server.service(), "cars", format: events)
    var iterator = cars.liveChanges(since: nil).makeAsyncIterator()
    #expect(try await iterator.next()?.text == "")
    let connection = try await server.connection()
    for number in 1...5000 {
      connection.send("stored", #"{"path": "cars", "model": {"id": \#(number)}}"#)
    }
    connection.end()
    var (ids, elements) = ([Int](), 0)
    while ids.count < 5000, let changes = try await iterator.next() {
      ids += changes.stored.map(\.id)
      elements += 1
    }
    #expect(ids == Array(1...5000))
    #expect((50...5000).contains(elements))
    await #expect(throws: HTTPError.self) { try await iterator.next() }
  }

  @Test func `A path of its own is a connection of its own`() async throws {
    let server = EventService()
    let service = try server.service()
    let format = HTTPFormat.live(.events(path: "{path}/events"))
    let cars = Changes(HTTPRepository<Thing>(service, "cars", format: format))
    let trips = Changes(HTTPRepository<Thing>(service, "trips", format: format))
    _ = try await (cars[0], trips[0])
    let connections = [try await server.connection(0), try await server.connection(1)]
    for connection in connections {
      connection.send("stored", #"{"model": {"id": 1}}"#)
    }
    _ = try await (cars[1], trips[1])
    #expect(
      Set(connections.map(\.request.url.lastPathComponent)) == ["events"]
        && Set(connections.map { $0.request.url.path() }).count == 2)
  }

  @Test(arguments: [false, true])
  func `Two formats with one route read the events each in its own way`(
    isByTable: Bool
  ) async throws {
    func format(_ name: String) -> HTTPFormat {
      if isByTable {
        var table = HTTPFormat.Live.Table(
          action: .key("op"), stored: ["\(name)-saved"], removed: [])
        table.model = ""
        table.names = [name]
        return .live(.init(.init("GET", "feed"), reading: table))
      }
      return .live(
        .init(.init("GET", "feed")) { event in
          event.name == name ? .init([.stored(at: "")]) : nil
        })
    }
    let server = EventService()
    let service = try server.service()
    let cars = Changes(HTTPRepository<Thing>(service, "cars", format: format("car")))
    let trips = Changes(HTTPRepository<Thing>(service, "trips", format: format("trip")))
    _ = try await (cars[0], trips[0])
    let connection = try await server.connection()
    #expect(server.connections.elements.count == 1, "they share the connection")
    connection.send("car", #"{"id": 1, "op": "car-saved"}"#)
    connection.send("trip", #"{"id": 2, "op": "trip-saved"}"#)
    #expect(try await cars[1].text == "+1 ")
    #expect(try await trips[1].text == "+2 ")
  }

  @Test func `A service that ends a stream in order says when it is to be asked again`()
    async throws
  {
    for hasSent in [false, true] {
      let server = EventService()
      let cars = Changes(HTTPRepository<Thing>(try server.service(), "cars", format: events))
      _ = try await cars[0]
      let connection = try await server.connection()
      if hasSent { connection.send("retry: 200\n\n") }
      connection.end()
      let error = await cars.error
      #expect(error?.code == .connectionLost)
      #expect(error?.isOrderlyEnd == hasSent)
      #expect(error?.retryAfter == (hasSent ? .milliseconds(200) : nil))
      // A connection that is lost is none, whatever has arrived before.
      let other = EventService()
      let lost = Changes(HTTPRepository<Thing>(try other.service(), "cars", format: events))
      _ = try await lost[0]
      if hasSent { try await other.connection().send(": heartbeat\n\n") }
      try await other.connection().end(URLError(.networkConnectionLost))
      #expect(await lost.error?.isOrderlyEnd == false)
    }
  }
}
