import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

/// A WebSocket that a test holds in its hands.
final class HandSocket: HTTPWebSocket {
  let request: HTTPTransportRequest
  let sent = Record<String>()
  private let pings: Gate
  private let pinged = Lock(0)
  private let messages: AsyncThrowingStream<Data, any Error>
  private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
  private let closed = Lock(false)

  init(_ request: HTTPTransportRequest, pings: Gate) {
    (self.request, self.pings) = (request, pings)
    (messages, continuation) = AsyncThrowingStream.makeStream()
  }

  var isClosed: Bool { closed.withLock(\.self) }

  /// How many pings were sent.
  var pingCount: Int { pinged.withLock(\.self) }

  /// Has the service send a message.
  func say(_ message: String) { continuation.yield(Data(message.utf8)) }

  func end(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }

  func send(_ text: String) async throws {
    guard !isClosed else { throw URLError(.networkConnectionLost) }
    sent.append(text)
  }

  func receive() async throws -> Data? {
    for try await message in messages { return message }
    return nil
  }

  func ping() async throws {
    pinged.withLock { $0 += 1 }
    try await pings.pass()
  }

  func close() {
    closed.withLock { $0 = true }
    continuation.finish(throwing: URLError(.cancelled))
  }
}

/// A transport that opens WebSockets for a test.
final class SocketService: HTTPTransport {
  let sockets = Record<HandSocket>()
  let pings = Gate()
  private let opening: @Sendable () async throws -> Void

  init(_ opening: @escaping @Sendable () async throws -> Void = {}) {
    self.opening = opening
  }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    HTTPTransportResponse(
      status: 200, headers: [:], body: AsyncThrowingStream { $0.finish() })
  }

  func webSocket(_ request: HTTPTransportRequest) async throws -> any HTTPWebSocket {
    try await opening()
    let socket = HandSocket(request, pings: pings)
    sockets.append(socket)
    return socket
  }

  func socket(_ number: Int = 0) async throws -> HandSocket {
    try await eventually("WebSocket \(number)") { sockets.elements.count > number }
    return sockets.elements[number]
  }

  func service(
    _ url: String = "https://example.com/api",
    _ change: (inout HTTPService.Configuration) -> Void = { _ in }
  ) throws -> HTTPService {
    var configuration = HTTPService.Configuration()
    configuration.transport = self
    change(&configuration)
    guard let url = URL(string: url) else { throw URLError(.badURL) }
    return HTTPService(url, configuration: configuration)
  }
}

/// What is said over a WebSocket.
@Suite(.patient) struct LiveWebSocketTests {
  private var socket: HTTPFormat.Live.WebSocket {
    var socket = HTTPFormat.Live.WebSocket()
    socket.subprotocols = ["events.v1", "events.v2"]
    socket.begin = { ["hello as \($0.request.headers["Authorization"] ?? "nobody")"] }
    socket.join = { topic, opening in "join \(topic) after \(opening.mark ?? "nothing")" }
    socket.leave = { "leave \($0)" }
    socket.answers = ["ping": "pong"]
    socket.event = { try .init(json: $0, name: "type", id: "seq") }
    return socket
  }

  private func format(_ socket: HTTPFormat.Live.WebSocket) -> HTTPFormat {
    var table = HTTPFormat.Live.Table()
    table.topic = .key("path")
    return .live(.webSocket("changes", reading: table, over: socket))
  }

  private func follow(
    _ path: String, _ format: HTTPFormat, _ service: HTTPService
  ) -> Changes<Thing> {
    Changes(HTTPRepository<Thing>(service, path, format: format))
  }

  @Test func `Topics are joined and left one by one, over one connection`() async throws {
    let server = SocketService()
    let service = try server.service { $0.authorization = { _ in "me" } }
    let format = format(socket)
    let cars = follow("cars", format, service)
    _ = try await cars[0]
    let line = try await server.socket()
    #expect(line.request.url.absoluteString == "wss://example.com/api/changes")
    #expect(line.request.headers["Sec-WebSocket-Protocol"] == "events.v1, events.v2")
    #expect(line.request.maximumBodySize == 1 << 20)
    let trips = follow("trips", format, service)
    _ = try await trips[0]
    line.say(#"{"type": "stored", "seq": 7, "path": "trips", "model": {"id": 1}}"#)
    #expect(try await trips[1].text == "+1 ")
    line.say(#"{"type": "ping"}"#)
    line.say("no JSON")
    #expect(try await cars[1].text == "")
    cars.cancel()
    try await eventually("the last message") { line.sent.elements.count == 5 }
    #expect(
      line.sent.elements == [
        "hello as me", "join cars after nothing", "join trips after nothing", "pong", "leave cars",
      ])
    trips.cancel()
    try await eventually("the end") { line.isClosed }
    #expect(server.sockets.elements.count == 1)
  }

  @Test func `An address without TLS is one of this device`() async throws {
    let server = SocketService()
    let cars = follow("cars", format(socket), try server.service("http://127.0.0.1:1/"))
    #expect(try await server.socket().request.url.absoluteString == "ws://127.0.0.1:1/changes")
    _ = try await cars[0]
    let other = follow("cars", format(socket), try server.service("http://example.com"))
    #expect(await other.error?.code == .insecure)
    #expect(server.sockets.elements.count == 1)
  }

  @Test func `Pings keep it open, and a pong that does not come is silence`() async throws {
    let (server, clock) = (SocketService(), ManualClock())
    let cars = follow("cars", format(socket), try server.service { $0.clock = clock })
    _ = try await cars[0]
    let line = try await server.socket()
    for count in 1...8 {
      var looks = 0
      try await eventually("ping \(count)") {
        // Once more only if it did not sleep yet: too often would be silence.
        if looks.isMultiple(of: 5000), line.pingCount < count { clock.advance(by: .seconds(25)) }
        looks += 1
        return line.pingCount == count
      }
      server.pings.letOneThrough()
    }
    #expect(!line.isClosed)
    while !line.isClosed {
      clock.advance(by: .seconds(5))
      await Task.yield()
    }
    #expect(await cars.error?.code == .timedOut)
  }

  @Test func `A heartbeat of its own is sent after joining, and again`() async throws {
    let (server, clock) = (SocketService(), ManualClock())
    var socket = socket
    socket.heartbeat = "beat"
    let cars = follow("cars", format(socket), try server.service { $0.clock = clock })
    _ = try await cars[0]
    let line = try await server.socket()
    try await eventually("two beats") {
      clock.advance(by: .seconds(1))
      return line.sent.elements.count == 4
    }
    #expect(
      line.sent.elements == ["hello as nobody", "join cars after nothing", "beat", "beat"])
  }

  @Test func `The service's end, its refusal and a transport without WebSockets are errors`()
    async throws
  {
    let server = SocketService()
    let cars = follow("cars", format(socket), try server.service())
    _ = try await cars[0]
    try await server.socket().end()
    #expect(await cars.error?.code == .connectionLost)
    let refusing = SocketService { throw HTTPError(.client, status: 429, retryAfter: .seconds(9)) }
    let error = await follow("cars", format(socket), try refusing.service()).error
    #expect(error?.status == 429)
    #expect(error?.retryAfter == .seconds(9))
    let none = await follow("cars", format(socket), try EventService().service()).error
    #expect(
      none?.description
        == "The HTTP configuration contradicts itself: live.source is a WebSocket, and the "
        + "service's transport opens none; use a transport that does, or another source.")
    var socket = socket
    socket.heartbeatInterval = .zero
    #expect(
      await follow("cars", format(socket), try server.service()).error?.reason
        == "the heartbeatInterval of live.source is not positive; raise it")
  }

  @Test func `A service that fails is left alone by its breaker, as with requests`() async throws {
    let server = SocketService { throw URLError(.cannotConnectToHost) }
    let service = try server.service {
      $0.limits.breaker = .init(failures: 2, pause: .seconds(3600))
    }
    for _ in 1...2 {
      #expect(await follow("cars", format(socket), service).error?.code == .refused)
    }
    #expect(await follow("cars", format(socket), service).error?.code == .suspended)
  }

  #if os(Linux)
    @Test func `URLSession on Linux says that it opens none`() async throws {
      let url = try #require(URL(string: "http://127.0.0.1:1"))
      let error = await follow("cars", format(socket), HTTPService(url)).error
      #expect(error?.code == .misconfigured)
      #expect(
        error?.reason
          == "live.source is a WebSocket, and URLSession on this system opens none; use a "
          + "transport that does, or another source")
      // It delays no other model, and is not tried again soon.
      #expect(error?.failureKind == .permanent && error?.failureScope == .write)
    }
  #endif

  @Test(arguments: [
    (1000, nil), (1006, nil), (1008, 403), (1009, 413), (1012, 503), (4000, nil), (4401, 401),
    (4429, 429), (4600, nil),
  ])
  func `The code of a closure says what the status of a refusal would`(code: Int, status: Int?) {
    #expect(URLSessionWebSocket.status(ofClosure: code) == status)
  }
}
