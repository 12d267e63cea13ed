import Evocation
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

/// Events that an app gets elsewhere, over connections that a source opens.
@Suite(.patient) struct LiveSourceTests {
  private struct Own: ClassifiedError {
    var failureKind: FailureKind
  }

  private struct Unknown: Error {}

  private let server = EventService { _ in (200, [:], "[]") }

  private func follow(
    _ path: String = "cars", _ format: HTTPFormat, at service: HTTPService,
    since mark: String? = nil
  ) -> Changes<Thing> {
    Changes(HTTPRepository<Thing>(service, path, format: format), since: mark)
  }

  @Test func `Two models share a connection, which has what a request would have`() async throws {
    let hand = HandSource()
    let service = try server.service {
      $0.authorization = { _ in "Bearer 1" }
      $0.prepare = { $0.headers["X-Key"] = "key" }
    }
    let format = hand.format()
    let (cars, trips) = (follow("cars", format, at: service), follow("trips", format, at: service))
    let line = try await hand.line()
    #expect(line.opening.request.url.absoluteString == "https://example.com/api/feed")
    #expect(line.opening.request.headers["Authorization"] == "Bearer 1")
    #expect(line.opening.request.headers["X-Key"] == "key")
    #expect(line.opening.mark == nil)
    #expect(try await (cars[0].text, trips[0].text) == ("", ""))
    line.store(1, in: "cars", mark: "10")
    line.store(2, in: "trips", mark: "11")
    line.send("other", "{}")
    line.send("removed", #"{"path": "cars", "id": 1}"#)
    #expect(try await cars[1].text == "+1 ")
    #expect(try await cars[2].text == "-1 ")
    #expect(try await trips[1].text == "+2 ")
    #expect(hand.lines.elements.count == 1)
    #expect(server.connections.elements.isEmpty)
    // A stream of the same route is another one.
    let streams = EventService()
    let both = try streams.service()
    let (own, other) = (
      follow("cars", format, at: both), follow("cars", .live(.events(path: "feed")), at: both)
    )
    _ = try await (own[0], other[0], streams.connection(), hand.line(1))
  }

  @Test func `Models that come while it opens are subscribed, and again as they change`()
    async throws
  {
    let gate = Gate()
    let hand = HandSource(opening: { _ in try await gate.pass() })
    let service = try server.service()
    let format = hand.format()
    let cars = follow("cars", format, at: service)
    let line = try await hand.line()
    let trips = follow("trips", format, at: service)
    #expect(cars.elements.elements.isEmpty)
    gate.open()
    _ = try await (cars[0], trips[0])
    #expect(line.subscriptions.elements.last == ["cars", "trips"])
    cars.cancel()
    try await eventually("the last subscription") {
      line.subscriptions.elements.last == ["trips"]
    }
    line.store(1, in: "trips")
    #expect(try await trips[1].text == "+1 ")
    #expect(hand.lines.elements.count == 1)
  }

  @Test
  func
    `An end during a subscription ends all models, and what the subscription does then is ignored`()
    async throws
  {
    let (gate, answers) = (Gate(), Gate.Counter())
    let hand = HandSource(subscribing: { _ in
      answers.increase()
      try? await gate.pass()
    })
    let service = try server.service()
    let format = hand.format()
    let (cars, trips) = (follow("cars", format, at: service), follow("trips", format, at: service))
    await answers.reach(1)
    try await hand.line().end()
    for changes in [cars, trips] {
      let error = await changes.error
      #expect(error?.code == .connectionLost)
      #expect(error?.url?.path() == "/api/feed")
    }
    gate.open()
    let again = follow("cars", format, at: service)
    _ = try await (hand.line(1), again[0])
    #expect(cars.elements.elements.isEmpty)
  }

  private static let failures: [(any Error, HTTPError.Code?, FailureKind)] = [
    (HTTPError(.server, status: 503, retryAfter: .seconds(9)), .server, .transient),
    (HTTPError(.unauthorized, status: 403), .unauthorized, .authorization),
    (URLError(.notConnectedToInternet), .unreachable, .transient),
    (Own(failureKind: .permanent), nil, .permanent),
    (Unknown(), .connectionLost, .transient),
    (CancellationError(), .connectionLost, .transient),
  ]

  @Test(arguments: failures.indices, [true, false])
  func `What a source throws is classified as the error of a request is`(
    index: Int, isOpening: Bool
  ) async throws {
    let (thrown, code, kind) = Self.failures[index]
    let hand = HandSource(opening: { _ in if isOpening { throw thrown } })
    let cars = follow("cars", hand.format(), at: try server.service())
    if !isOpening {
      _ = try await cars[0]
      try await hand.line().end(thrown)
    }
    let error = await cars.end
    #expect(FailureKind(error) == kind)
    #expect((error as? HTTPError)?.code == code)
    #expect(code == nil || (error as? HTTPError)?.url?.path() == "/api/feed")
    if code == .server { #expect((error as? HTTPError)?.retryAfter == .seconds(9)) }
  }

  @Test func `A source that sends faster than the app saves is not asked for more`() async throws {
    let (asked, begun) = (Lock(0), Promise<Void>())
    var table = HTTPFormat.Live.Table()
    table.subscribed = ["ready"]
    var live = HTTPFormat.Live(.init("GET", "feed"), reading: table)
    live.source = .init { _ in
      let events = AsyncStream {
        await begun.value
        let number = asked.withLock { asked in
          asked += 1
          return asked - 1
        }
        guard number > 0 else { return ServerSentEvent(name: "ready", data: Data("{}".utf8)) }
        let data = Data(#"{"model": {"id": \#(number)}}"#.utf8)
        return number > 5000 ? nil : ServerSentEvent(name: "stored", data: data)
      }
      return .init(events) { _ in begun.fulfil(()) }
    }
    let cars = HTTPRepository<Thing>(try server.service(), "cars", format: .live(live))
    var iterator = cars.liveChanges(since: nil).makeAsyncIterator()
    #expect(try await iterator.next()?.text == "")
    try await eventually("a full queue") { asked.withLock { $0 } >= 1000 }
    for _ in 1...1000 { await Task.yield() }
    #expect(asked.withLock { $0 } <= 1101)
    var ids: [Int] = []
    while let changes = try? await iterator.next() { ids += changes.stored.map(\.id) }
    #expect(ids == Array(1...5000))
  }

  /// Never ends by itself, and does not hear that its task is canceled.
  private struct Deaf: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let next: Promise<ServerSentEvent>

    func makeAsyncIterator() -> Deaf { self }

    func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
      await next.value
    }
  }

  @Test func `A source that ignores its cancellation holds up nothing, and is not heard any more`()
    async throws
  {
    let late = Promise<ServerSentEvent>()
    let (hand, count) = (HandSource(), Lock(0))
    let ready = hand.source
    var format = hand.format()
    format.live?.source = .init { opening in
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number > 1 else { return .init(Deaf(next: late)) }
      guard case .closure(let open) = ready.way else { throw Unknown() }
      return try await open(opening)
    }
    let service = try server.service()
    let first = follow("cars", format, at: service)
    _ = try await first[0]
    first.cancel()
    #expect(await first.end is CancellationError)
    let second = follow("cars", format, at: service)
    _ = try await (hand.line(), second[0])
    late.fulfil(
      ServerSentEvent(name: "stored", data: Data(#"{"path": "cars", "model": {"id": 9}}"#.utf8)))
    try await hand.line().store(1, in: "cars")
    #expect(try await second[1].text == "+1 ")
  }

  @Test func `A source that does not open in time has failed, and is let go when it opens late`()
    async throws
  {
    let (clock, gate) = (ManualClock(), Gate())
    let hand = HandSource(opening: { _ in try? await gate.pass() })
    let cars = follow("cars", hand.format(), at: try server.service { $0.clock = clock })
    let line = try await hand.line()
    await clock.sleeps(1)
    clock.advance(by: .seconds(30))
    let error = await cars.error
    #expect(error?.code == .timedOut)
    #expect(
      error?.description
        == "GET /api/feed got no answer within 30.0 seconds; try again, or raise the timeout.")
    gate.open()
    line.end()
    #expect(cars.elements.elements.isEmpty)
  }

  @Test(arguments: [true, false])
  func `A subscription that does not end, or is not confirmed, ends the connection`(
    confirms: Bool
  ) async throws {
    let (clock, never) = (ManualClock(), Gate())
    let hand = HandSource(subscribing: { _ in if !confirms { try? await never.pass() } })
    let format = hand.format {
      $0.confirmsTopics = confirms
      // The clock may run on before the subscription has its time.
      $0.longestSilence = .seconds(1_000_000_000)
    }
    let cars = follow("cars", format, at: try server.service { $0.clock = clock })
    let line = try await hand.line()
    try await eventually("the subscription") { !line.subscriptions.elements.isEmpty }
    while !line.isOver {
      clock.advance(by: .seconds(5))
      await Task.yield()
    }
    let error = await cars.error
    #expect(error?.code == .timedOut)
    #expect(
      error?.description
        == "GET /api/feed was accepted, and its subscription took longer than 15 s; check what "
        + "format.live sends and which event confirms it, or raise its greetingTimeout.")
    #expect(cars.elements.elements.isEmpty)
    never.open()
  }

  @Test func `A model is connected when its topic is confirmed, and gets nothing from before`()
    async throws
  {
    var table = HTTPFormat.Live.Table()
    table.topic = .key("path")
    table.subscribed = ["ready"]
    table.ended = ["closed": 503]
    let hand = HandSource()
    var live = HTTPFormat.Live(.init("GET", "feed"), reading: table)
    live.source = hand.source
    let service = try server.service()
    let (cars, trips) = (
      follow("cars", .live(live), at: service), follow("trips", .live(live), at: service)
    )
    let line = try await hand.line()
    try await eventually("both topics") {
      line.subscriptions.elements.last == ["cars", "trips"]
    }
    // One of them may have been asked for alone at first.
    for _ in line.subscriptions.elements.dropFirst() { line.send("ready", #"{"path": "cars"}"#) }
    line.store(1, in: "trips")
    line.send("ready", #"{"path": "trips"}"#)
    line.send("ready", #"{"path": "cars"}"#)
    line.store(2, in: "trips")
    // Of a topic that nobody follows.
    line.send("closed", #"{"path": "planes"}"#)
    line.store(3, in: "cars")
    #expect(try await (trips[0].text, trips[1].text) == ("", "+2 "))
    #expect(try await cars[1].text == "+3 ")
    line.send("closed", #"{"path": "cars"}"#)
    #expect(await trips.error?.status == 503)
  }

  @Test func `A refused credential is renewed once, while it opens and later`() async throws {
    let token = Lock("old")
    let hand = HandSource(opening: { number in
      if number == 0 { throw HTTPError(.unauthorized, status: 401) }
    })
    let asked = Record<HTTPService.Occasion>()
    let service = try server.service {
      $0.authorization = { occasion in
        asked.append(occasion)
        if occasion == .refusal { token.withLock { $0 += "+" } }
        return token.withLock { $0 }
      }
    }
    let format = hand.format {
      $0.read = { $0.name == "expired" ? .init([.ended(status: 401)]) : nil }
    }
    let cars = follow("cars", format, at: service)
    _ = try await cars[0]
    let seen = hand.lines.elements.map { $0.opening.request.headers["Authorization"] }
    #expect(seen == ["old", "old+"])
    #expect(asked.elements.filter { $0 == .refusal }.count == 1)
    try await hand.line(1).send("expired", "{}")
    #expect(await cars.error?.status == 401)
    try await eventually("another credential") { token.withLock { $0 } == "old++" }
  }

  @Test func `Another credential opens it again, from the mark`() async throws {
    let (hand, token) = (HandSource(), Lock("1"))
    let service = try server.service { $0.authorization = { _ in token.withLock { $0 } } }
    let format = hand.format(replays: true)
    let cars = follow("cars", format, at: service, since: "4")
    let line = try await hand.line()
    #expect(line.opening.mark == "4")
    #expect(line.opening.request.headers["Last-Event-ID"] == "4")
    #expect(try await cars[0].text == "@4")
    line.store(1, in: "cars", mark: "5")
    #expect(try await cars[1].text == "+1 @5")
    token.withLock { $0 = "2" }
    _ = try await HTTPRepository<Thing>(service, "cars").find(Criteria())
    let second = try await hand.line(1)
    #expect(second.opening.request.headers["Authorization"] == "2")
    #expect(second.opening.mark == "5")
    try await eventually("the end of the first") { line.isOver }
    #expect(try await cars[2].text == "@5")
    line.store(8, in: "cars", mark: "8")
    second.store(2, in: "cars", mark: "6")
    #expect(try await cars[3].text == "+2 @6")
  }

  @Test func `A sign-out ends it, and none is opened with that credential`() async throws {
    let (hand, token, clock) = (HandSource(), Lock("1"), ManualClock())
    let service = try server.service {
      $0.authorization = { _ in token.withLock { $0 } }
      $0.clock = clock
    }
    let cars = follow("cars", hand.format(), at: service)
    let line = try await hand.line()
    _ = try await cars[0]
    service.forgetAnswers()
    #expect(await cars.error?.code == .connectionLost)
    try await eventually("the end") { line.isOver }
    let next = follow("cars", hand.format(), at: service)
    for _ in 1...100 {
      clock.advance(by: .seconds(1))
      await Task.yield()
    }
    #expect(hand.lines.elements.count == 1)
    token.withLock { $0 = "2" }
    try await eventually("another connection") {
      clock.advance(by: .seconds(1))
      return hand.lines.elements.count == 2
    }
    #expect(try await hand.line(1).opening.request.headers["Authorization"] == "2")
    _ = try await next[0]
  }

  @Test func `A screen is live while a source sends, until a gap, and until its user signs out`()
    async throws
  {
    let (hand, present, token) = (HandSource(), Lock([1]), Lock("1"))
    let local = InMemoryRepository<Thing>()
    let server = EventService { _ in
      let ids = present.withLock { $0.map { #"{"id": \#($0)}"# } }
      return (200, [:], "[\(ids.joined(separator: ", "))]")
    }
    let service = try server.service { $0.authorization = { _ in token.withLock { $0 } } }
    let evocation = Evocation()
    evocation.live.start()
    try evocation.register(
      Thing.self, remote: HTTPRepository(service, "things", format: hand.format()),
      local: local, strategy: .offlineFirst)
    let cache = evocation.cache(Thing.self)
    cache.requirements = Criteria()
    var states = cache.observe().makeAsyncIterator()
    func state(_ ids: [Int]?, isLive: Bool) async -> Bool {
      while let state = await states.next(isolation: #isolation) {
        let found = (state.cache ?? []).map(\.id).sorted()
        if state.isLive == isLive, found == ids ?? found { return true }
      }
      return false
    }
    #expect(await state([1], isLive: true))
    present.withLock { $0 = [1, 2] }
    try await hand.line().store(2, in: "things")
    #expect(await state([1, 2], isLive: true))
    present.withLock { $0 = [2, 3] }
    try await hand.line().end()
    #expect(await state(nil, isLive: false))
    #expect(await state([2, 3], isLive: true))
    let second = try await hand.line(1)
    try await evocation.signOut(.discard)
    try await eventually("the end") { second.isOver }
    second.store(9, in: "things")
    token.withLock { $0 = "2" }
    present.withLock { $0 = [4] }
    // The sign-out has emptied the cache, which then asks for nothing.
    let observation = evocation.observe(model: Thing.self) { _ in }
    let third = try await hand.line(2)
    #expect(third.opening.request.headers["Authorization"] == "2")
    try await eventually("what the next user has") {
      try await local.find(Criteria()).value.map(\.id) == [4]
    }
    observation.cancel()
  }

  @Test func `Each event is a sign of the service, and silence ends the connection`() async throws {
    let (hand, clock) = (HandSource(), ManualClock())
    let cars = follow("cars", hand.format(), at: try server.service { $0.clock = clock })
    _ = try await cars[0]
    let line = try await hand.line()
    for number in 1...3 {
      clock.advance(by: .seconds(80))
      line.store(number, in: "cars")
      _ = try await cars[number]
    }
    while !line.isOver {
      clock.advance(by: .seconds(30))
      await Task.yield()
    }
    #expect(
      await cars.error?.description
        == "GET /api/feed sent nothing for 90 s; check the network, let the service send "
        + "heartbeats, or raise format.live.longestSilence.")
  }

  @Test func `It is greeted by an event, and an event has a largest size`() async throws {
    let hand = HandSource()
    let format = hand.format {
      $0.greeting = "hello"
      $0.maximumEventSize = 60
    }
    let cars = follow("cars", format, at: try server.service())
    let line = try await hand.line()
    line.store(1, in: "cars")
    line.send("hello", "{}")
    #expect(try await cars[0].text == "")
    #expect(line.subscriptions.elements == [["cars"]])
    line.store(2, in: "cars")
    #expect(try await cars[1].text == "+2 ")
    line.send("stored", String(repeating: "x", count: 60))
    #expect(await cars.error?.code == .tooLarge)
  }

  @Test func `Nothing of a source is kept when no stream is read any more`() async throws {
    final class Token: Sendable {}
    weak var token: Token?
    weak var service: HTTPService?
    do {
      let (made, kept) = (try server.service(), Token())
      (service, token) = (made, kept)
      var format = HTTPFormat.live(.events(path: "feed"))
      format.live?.source = .init { _ in
        let (events, continuation) = AsyncStream<ServerSentEvent>.makeStream()
        return .init(events) { _ in withExtendedLifetime((kept, continuation)) {} }
      }
      let cars = follow("cars", format, at: made)
      _ = try await cars[0]
      cars.cancel()
      _ = await cars.end
    }
    try await eventually("all to be let go") { token == nil && service == nil }
  }
}
