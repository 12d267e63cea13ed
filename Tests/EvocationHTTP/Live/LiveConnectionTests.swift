import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

/// What a connection asks, and how it ends.
@Suite(.patient) struct LiveConnectionTests {
  private let events = HTTPFormat.live(.events(path: "events"))

  private func changes(
    _ server: EventService, format: HTTPFormat? = nil,
    _ change: (inout HTTPService.Configuration) -> Void = { _ in }
  ) throws -> Changes<Thing> {
    Changes(HTTPRepository<Thing>(try server.service(change), "cars", format: format ?? events))
  }

  @Test func `A refused credential is renewed once`() async throws {
    let server = EventService { request in
      request.headers["Authorization"] == "good" ? nil : (401, [:], "")
    }
    let cars = try changes(server) { $0.authorization = { $0 == .refusal ? "good" : "old" } }
    #expect(try await cars[0].text == "")
    #expect(server.connections.elements.count == 1)
    let signedOut = EventService { _ in (401, [:], #"{"message": "sign in"}"#) }
    let error = await (try changes(signedOut) { $0.authorization = { _ in "old" } }).error
    #expect(error?.code == .unauthorized)
    #expect(error?.message == "sign in")
  }

  @Test(arguments: [
    (204, "", "got 204 with no stream of events", FailureKind.permanent),
    (200, "text/html", "got 200 with text/html in place of events", .transient),
    (200, "", "got 200 with no type in place of events", .transient),
  ])
  func `An answer that is no stream of events is an error`(
    status: Int, type: String, problem: String, kind: FailureKind
  ) async throws {
    let server = EventService { _ in (status, type.isEmpty ? [:] : ["Content-Type": type], "<p>") }
    let error = await (try changes(server)).error
    #expect(error?.code == .undecodable)
    #expect(error?.failureKind == kind)
    // A 204 asks never to be asked again.
    #expect(error?.failureScope == (status == 204 ? .write : .service))
    #expect((error?.retryAfter ?? .zero > .seconds(365 * 86_400)) == (status == 204))
    #expect(
      error?.description
        == "GET /api/events \(problem); check the route in format.live, and sign in to the network."
    )
  }

  @Test func `A refusal has the service's words and its wait`() async throws {
    let server = EventService { _ in (503, ["Retry-After": "9"], #"{"message": "full"}"#) }
    let error = await (try changes(server)).error
    #expect(error?.code == .server)
    #expect(error?.message == "full")
    #expect(error?.retryAfter == .seconds(9))
  }

  @Test func `Redirects are followed as for any read`() async throws {
    let server = EventService { request in
      request.url.path() == "/api/events" ? (307, ["Location": "/live"], "") : nil
    }
    let cars = try changes(server)
    _ = try await cars[0]
    #expect(try await server.connection().request.url.path() == "/live")
    let insecure = EventService { _ in (307, ["Location": "http://example.com/live"], "") }
    #expect(await (try changes(insecure)).error?.code == .redirectRefused)
  }

  @Test func `A connection that is silent for too long has ended`() async throws {
    let (server, clock) = (EventService(), ManualClock())
    let cars = try changes(server) { $0.clock = clock }
    _ = try await cars[0]
    let connection = try await server.connection()
    await clock.sleeps(2)
    clock.advance(by: .seconds(89))
    connection.send(": heartbeat\n\n")
    connection.send("stored", #"{"path": "cars", "model": {"id": 1}}"#)
    _ = try await cars[1]
    clock.advance(by: .seconds(89))
    connection.send("stored", #"{"path": "cars", "model": {"id": 2}}"#)
    _ = try await cars[2]
    while cars.elements.elements.count == 3, !connection.isOver {
      clock.advance(by: .seconds(90))
      await Task.yield()
    }
    let error = await cars.error
    #expect(error?.code == .timedOut)
    #expect(
      error?.description
        == "GET /api/events sent nothing for 90 s; check the network, let the service send "
        + "heartbeats, or raise format.live.longestSilence.")
    try await eventually("the end") { connection.isOver }
  }

  @Test func `A greeting that does not arrive is the work of a proxy`() async throws {
    let (server, clock) = (EventService(), ManualClock())
    let cars = try changes(server, format: .pocketBase) { $0.clock = clock }
    let connection = try await server.connection()
    await clock.sleeps(2)
    clock.advance(by: .seconds(10))
    connection.send(": a comment is no greeting\n\n")
    while !connection.isOver {
      clock.advance(by: .seconds(5))
      await Task.yield()
    }
    let error = await cars.error
    #expect(error?.code == .timedOut)
    #expect(
      error?.description
        == "GET /api/realtime was accepted, and its event PB_CONNECT did not arrive within 15 s; "
        + "turn off the buffering of text/event-stream in the proxy in front of the server.")
    #expect(cars.elements.elements.isEmpty)
  }

  @Test func `A head that does not arrive ends with the service's timeout`() async throws {
    let (clock, never) = (ManualClock(), Promise<Void>())
    let server = EventService { _ in
      await never.value
      return nil
    }
    let cars = try changes(server) { $0.clock = clock }
    await clock.sleeps(1)
    clock.advance(by: .seconds(30))
    #expect(await cars.error?.code == .timedOut)
    never.fulfil()
  }

  @Test(arguments: [nil, 50])
  func `An event that is too long, or has no end, ends the connection`(service: Int?) async throws {
    var format = events
    format.live?.maximumEventSize = service == nil ? 50 : 100
    let server = EventService()
    let cars = try changes(server, format: format) { configuration in
      if let service { configuration.maximumResponseSize = service }
    }
    let connection = try await server.connection()
    for _ in 0..<6 { connection.send("data: xxxx") }
    let error = await cars.error
    #expect(error?.code == .tooLarge)
    #expect(
      error?.description
        == "GET /api/events sent an event of more than 50 bytes; send smaller events, or raise "
        + "format.live.maximumEventSize.")
    try await eventually("the end") { connection.isOver }
  }

  @Test func `An open connection takes no turn of the service, and the breaker keeps it shut`()
    async throws
  {
    let server = EventService { request in
      request.url.path() == "/api/cars" ? (503, [:], "") : nil
    }
    let service = try server.service {
      $0.limits.requestsAtOnce = 1
      $0.limits.breaker = .init(failures: 2, pause: .seconds(3600))
    }
    let repository = HTTPRepository<Thing>(service, "cars", format: events)
    let cars = Changes(repository)
    _ = try await cars[0]
    for _ in 0..<2 {
      let error = await failure { try await repository.find(Criteria()) } as? HTTPError
      #expect(error?.code == .server)
    }
    let other = HTTPRepository<Thing>(
      service, "trips", format: .live(.events(path: "{path}/events")))
    let error = await Changes(other).error
    #expect(error?.code == .suspended)
    #expect(error?.retryAfter != nil)
    #expect(server.connections.elements.count == 1)
  }

  @Test func `The log has the opening, what does not decode, and the end`() async throws {
    let lines = Record<String>()
    let log = Evocation.Log(levels: [.http]) { line in
      switch line {
      case .request(let request): lines.append("\(request.address) \(request.status ?? 0)")
      case .notice(let text): lines.append(text)
      default: break
      }
    }
    let server = EventService()
    let cars = try changes(server) { $0.log = log }
    _ = try await cars[0]
    let connection = try await server.connection()
    for (number, (name, data)) in [
      ("stored", "secret {"), ("stored", #"{"path": "cars", "model": {"id": "secret"}}"#),
      ("removed", #"{"path": "cars"}"#),
    ].enumerated() {
      connection.send(name, data)
      #expect(try await cars[number + 1].text == "")
    }
    cars.cancel()
    try await eventually("the end") { connection.isOver }
    let other = try changes(server) { $0.log = log }
    _ = try await other[0]
    try await server.connection(1).end()
    _ = await other.error
    log.flush()
    let place = "https://example.com:443"
    let written = lines.elements.map { $0.replacing(/after .*/, with: "after a time") }
    #expect(
      written == [
        "\(place) events 200",
        "GET \(place) events sent an event that does not decode",
        "\(place) cars sent an event with a value that is not an Int at \"model.id\"",
        "GET \(place) events sent an event that does not decode",
        "GET \(place) events ended after a time",
        "\(place) events 200",
        "GET \(place) events ended with connectionLost",
      ])
  }
}
