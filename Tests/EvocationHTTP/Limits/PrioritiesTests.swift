import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

/// A user's call among requests that nobody waits for.
@Suite(.patient) struct PrioritiesTests {
  /// Answers each request when the test says so.
  private struct Held: HTTPTransport {
    let asked = Record<String>()
    let gate: Gate

    func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      let year = request.item("year") ?? "0"
      asked.append(year)
      try await gate.pass()
      let body = AsyncThrowingStream<Data, any Error> {
        $0.yield(Data(#"[{"id": \#(year), "year": \#(year)}]"#.utf8))
        $0.finish()
      }
      return HTTPTransportResponse(status: 200, headers: [:], body: body)
    }
  }

  private struct App {
    let held: Held
    let service: HTTPService
    let evocation: Evocation

    func waiting(_ count: Int) async throws {
      try await eventually("\(count) that wait") {
        service.gate(at: service.name).waiting == count
      }
    }
  }

  /// Keeps the refresh that a request belongs to.
  private final class Works: RepositoryInterceptor {
    private let last = Lock<BackgroundWork?>(nil)

    var refresh: BackgroundWork? { last.withLock(\.self) }

    func perform<Model: Sendable, Value: Sendable>(
      _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
    ) async throws -> Value {
      if let work = BackgroundWork.current { last.withLock { $0 = work } }
      return try await body(call)
    }
  }

  private func app(_ strategy: Strategy, _ works: Works = Works()) throws -> App {
    let held = Held(gate: Gate())
    var configuration = HTTPService.Configuration()
    configuration.transport = held
    configuration.limits = HTTPLimits(requestsAtOnce: 1)
    let url = try #require(URL(string: "https://example.com"))
    let service = HTTPService(url, configuration: configuration)
    var format = HTTPFormat.rest
    format.next = .never
    let evocation = Evocation()
    try evocation.register(
      Vehicle.self,
      remote: InterceptedRepository(
        HTTPRepository<Vehicle>(service, "vehicles", format: format), by: works),
      local: InMemoryRepository<Vehicle>(), strategy: strategy)
    return App(held: held, service: service, evocation: evocation)
  }

  private struct Vehicle: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var year: Int
  }

  @Test func `A find passes prefetches that wait`() async throws {
    let app = try app(.remoteFirst)
    let evocation = app.evocation
    let prefetches = Task {
      await withTaskGroup { group in
        for year in 1...3 {
          group.addTask { _ = await evocation.prefetch(Vehicle.self, criteria: ["year": year]) }
        }
      }
    }
    try await app.waiting(2)
    let find = Task { await evocation.find(model: Vehicle.self, criteria: ["year": 9]) }
    try await app.waiting(3)
    app.held.gate.open()
    #expect(await find.value.error == nil)
    await prefetches.value
    #expect(app.held.asked.elements.count == 4 && app.held.asked.elements[1] == "9")
  }

  @Test(arguments: [false, true])
  func `A find passes a refresh behind an answer, and an automatic one of a cache`(
    isCache: Bool
  ) async throws {
    let app = try app(.staleWhileRevalidate(maxAge: .nanoseconds(1)))
    let evocation = app.evocation
    let cache = evocation.cache(Vehicle.self, where: ["year": 2], maxAge: .zero)
    app.held.gate.letOneThrough()
    _ = try await cache.refresh(force: true)
    let rule = Strategy.Rule(target: .remote)
    let first = Task {
      await evocation.find(model: Vehicle.self, criteria: ["year": 1], rule: rule)
    }
    try await eventually("the first") { app.held.asked.elements == ["2", "1"] }
    let observing = Task {
      guard isCache else { return }
      for await _ in cache.observe() {}
    }
    if !isCache {
      let shown = await evocation.find(model: Vehicle.self, criteria: ["year": 2])
      #expect(shown.origin == .local)
    }
    try await app.waiting(1)
    let find = Task {
      await evocation.find(model: Vehicle.self, criteria: ["year": 9], rule: rule)
    }
    try await app.waiting(2)
    app.held.gate.open()
    _ = await (first.value, find.value)
    try await eventually("the refresh") { app.held.asked.elements.count >= 4 }
    observing.cancel()
    #expect(app.held.asked.elements.prefix(4) == ["2", "1", "9", "2"])
  }

  @Test func `A refresh that a user's call joins lets nobody pass any more`() async throws {
    let works = Works()
    let app = try app(.remoteFirst, works)
    let evocation = app.evocation
    let cache = evocation.cache(Vehicle.self, where: ["year": 2], maxAge: .zero)
    app.held.gate.letOneThrough()
    _ = try await cache.refresh(force: true)
    let first = Task { await evocation.find(model: Vehicle.self, criteria: ["year": 1]) }
    try await eventually("the first") { app.held.asked.elements == ["2", "1"] }
    let observing = Task { for await _ in cache.observe() {} }
    try await app.waiting(1)
    #expect(works.refresh?.isBehind == true)
    let other = Task { await evocation.find(model: Vehicle.self, criteria: ["year": 9]) }
    try await app.waiting(2)
    let joined = Task { try await cache.refresh(force: true) }
    try await eventually("the call that joins") { works.refresh?.isBehind == false }
    app.held.gate.open()
    #expect(try await joined.value == .successful)
    _ = await (first.value, other.value)
    observing.cancel()
    #expect(app.held.asked.elements == ["2", "1", "2", "9"])
  }
}
