import Evocation
import EvocationHTTP
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

@testable import EvocationCalls
@testable import EvocationValues

/// That one bad element of a stream is one bad element.
@Suite(.patient) struct LiveDamageTests {
  private let clock = ManualClock()
  private let things = InMemoryRepository<Thing>()

  private func evocation(
    _ server: EventService, _ format: HTTPFormat = .live(.events(path: "events"))
  ) throws -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock, chance: { 0 }))
    evocation.live.start()
    try evocation.register(
      Thing.self,
      remote: HTTPRepository<Thing>(
        try server.service { $0.clock = clock }, "things", format: format),
      local: things, strategy: .remoteFirst)
    return evocation
  }

  /// How many requests were made for models.
  private func finds(_ server: EventService) -> [String] {
    server.asked.elements.filter { $0.method == "GET" }.map { $0.url.path() }
  }

  @Test(arguments: [false, true])
  func `Twenty events a second that do not decode cost a few requests`(isNamed: Bool) async throws {
    let server = EventService { request in
      if request.isStreamed { return nil }
      let isOne = request.url.path() != "/api/things"
      return (200, [:], isOne ? #"{"id": 7, "name": "read by its id"}"# : "[]")
    }
    let evocation = try evocation(server)
    let caches = (1...3).map { number in
      evocation.cache(Thing.self, where: ["name": .init("\(number)")])
    }
    let observation = evocation.observe(model: Thing.self) { _ in }
    for cache in caches { #expect(try await cache.refresh() == .successful) }
    let tasks = caches.map { cache in Task { for await _ in cache.observe() {} } }
    let connection = try await server.connection()
    try await eventually("the connection") {
      evocation.live.statuses.first.map { $0.phase == .connected && !$0.isBehind } == true
    }
    for _ in 0..<200 { await Task.yield() }
    let before = finds(server).count
    for number in 0..<200 {
      let id = isNamed ? #""id": 7, "# : ""
      connection.send("stored", #"{"path": "things", "model": {\#(id)"name": \#(number)}}"#)
      clock.advance(by: .milliseconds(50))
      for _ in 0..<20 { await Task.yield() }
    }
    let asked = finds(server).dropFirst(before)
    #expect(!asked.isEmpty && asked.count <= 5, "\(asked)")
    if isNamed {
      #expect(Set(asked) == ["/api/things/7"])
      try await eventually("the model") {
        try await things.find(Criteria()).value.map(\.name) == ["read by its id"]
      }
    }
    for task in tasks { task.cancel() }
    withExtendedLifetime(observation) {}
  }

  @Test func `Changes of one message count in their order`() async throws {
    let live = HTTPFormat.Live(.init("GET", "feed")) { event in
      switch event.name {
      case "rekeyed": .init([.removed("7"), .stored(at: "")])
      case "undone": .init([.stored(at: ""), .removed("7")])
      default: nil
      }
    }
    let server = EventService { $0.isStreamed ? nil : (200, [:], "[]") }
    let evocation = try evocation(server, .live(live))
    let observation = evocation.observe(model: Thing.self) { _ in }
    let connection = try await server.connection()
    connection.send("rekeyed", #"{"id": 7, "name": "new"}"#)
    try await eventually("the model") {
      try await things.find(Criteria()).value.map(\.name) == ["new"]
    }
    connection.send("undone", #"{"id": 7, "name": "undone"}"#)
    try await eventually("its removal") { try await things.find(Criteria()).value.isEmpty }
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: [["3", "2"], ["2", "3"], ["9", "8"]])
  func `An older version in the same batch replaces no newer one`(versions: [String]) async throws {
    var format = HTTPFormat.live(.events(path: "events"))
    format.version = .property("rev")
    let server = EventService { $0.isStreamed ? nil : (200, [:], "[]") }
    let evocation = try evocation(server, format)
    let observation = evocation.observe(model: Thing.self) { _ in }
    let connection = try await server.connection()
    let models = versions.map { #"{"id": 1, "rev": \#($0)}"# }.joined(separator: ", ")
    connection.send("stored", #"{"path": "things", "model": [\#(models)]}"#)
    connection.send("stored", #"{"path": "things", "model": {"id": 2}}"#)
    try await eventually("both") { try await things.find(Criteria()).value.count == 2 }
    #expect(
      try await things.find(["id": 1]).value.map(\.rev) == [versions.compactMap(Int.init).max()])
    withExtendedLifetime(observation) {}
  }
}
