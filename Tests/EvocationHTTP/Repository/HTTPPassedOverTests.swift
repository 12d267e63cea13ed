import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A service may pass over a condition, and answer with everything.
@Suite(.patient) struct HTTPPassedOverTests {
  /// Things 1 to `count`, whose name is "even" or "odd", by limit and offset; it knows no conditions.
  private static func service(_ count: Int, total: Bool = false, most: Int = 100) -> Scripted {
    Scripted { request in
      let all = (1...count).map { Thing(id: $0, name: $0 % 2 == 0 ? "even" : "odd") }
      let offset = request.number("offset") ?? 0
      let length = min(request.number("limit") ?? most, most)
      let part = Array(all.dropFirst(offset).prefix(length))
      return (200, total ? ["X-Total-Count": "\(count)"] : [:], Thing.json(part))
    }
  }

  private static let odd: Criteria = ["name": "odd"]

  @Test
  func `What does not match is left out, and the trace and the log say which condition failed`()
    async throws
  {
    let lines = Record<String>()
    let service = Self.service(9)
    let log = Evocation.Log { lines.append("\($0)") }
    let things = try service.things { $0.service.log = log }
    let evocation = Evocation()
    evocation.register(for: Thing.self).repository(remote: things).strategy(.remoteOnly)
    for _ in 1...2 {
      let result = await evocation.find(model: Thing.self, criteria: Self.odd)
      #expect(result.data?.map(\.id) == [1, 3, 5, 7, 9])
      #expect(result.leftOut == 4)
      #expect(result.metadata[.remote]?["leftOut"] as? Int == 4)
      #expect(
        "\(result.trace)".contains(
          "and left out 4 that do not meet the condition on \"name\", which the service passed over,"
        ))
    }
    let local = InMemoryRepository<Thing>()
    evocation.register(for: Thing.self).repository(remote: things).repository(local: local)
    let prefetched = await evocation.prefetch(Thing.self, criteria: Self.odd)
    #expect(prefetched.data == 5 && prefetched.leftOut == 4)
    log.flush()
    #expect(lines.elements.filter { $0.contains("on \"name\"") }.count == 1)
  }

  @Test func `A count and an exists believe no total of a service that may pass over conditions`()
    async throws
  {
    let things = try Self.service(9, total: true).things { $0.total = .header("X-Total-Count") }
    #expect(try await things.count(Self.odd) == 5)
    #expect(try await things.exists(["name": "neither"]) == false)
    #expect(try await things.exists(Self.odd))
    #expect(try await things.count(Criteria()) == 9)
    let trusting = try Self.service(9, total: true).things {
      $0.total = .header("X-Total-Count")
      $0.trustsFilters = true
    }
    #expect(try await trusting.count(Self.odd) == 9)
    #expect(try await trusting.find(Self.odd).value.count == 9)
  }

  @Test(arguments: [HTTPFormat.Next.link, .offset], [0, 3])
  func `A part has the models that match, however many the service passes on`(
    next: HTTPFormat.Next, offset: Int
  ) async throws {
    let things = try Self.service(40, most: next == .link ? 100 : 10).things {
      $0.next = next
      if next == .offset { $0.filters.largestPage = 10 }
    }
    let expected = Array((1...40).filter { $0 % 2 == 1 }.dropFirst(offset).prefix(6))
    for _ in 1...2 {
      let found = try await things.find(Self.odd.limit(6).offset(offset))
      #expect(found.value.map(\.id) == expected)
      #expect(found.metadata["totalCount"] as? Int != 40)
    }
    #expect(try await things.findOne(["name": "even"]).value?.id == 2)
    #expect(try await things.findOne(["name": "neither"]).value == nil)
    let rest = try await things.find(Self.odd.offset(offset)).value.map(\.id)
    #expect(rest == Array((1...40).filter { $0 % 2 == 1 }.dropFirst(offset)))
  }

  @Test func `A list by offset has all models that match, each once`() async throws {
    let things = try Self.service(90, most: 20).things {
      $0.filters.largestPage = 20
      $0.next = .offset
    }
    let evocation = Evocation()
    evocation.register(for: Thing.self).repository(remote: things)
      .repository(local: InMemoryRepository<Thing>()).strategy(.remoteFirst)
    let list = evocation.pagingCache(Thing.self, where: Self.odd, pageSize: 10)
    _ = try await list.refresh()
    for _ in 1...8 { _ = await list.goToNextPage() }
    let shown = try await list.value(from: .cache)
    #expect(shown.map(\.id) == (1...90).filter { $0 % 2 == 1 })
  }

  @Test(arguments: [Strategy.remoteFirst, .cacheFirst(maxAge: .seconds(60)), .offlineFirst])
  func `A mirror stores only what matches, and removes only what the service does not have`(
    strategy: Strategy
  ) async throws {
    let things = try Self.service(4).things()
    let local = InMemoryRepository([Thing(id: 2, name: "even"), Thing(id: 8, name: "odd")])
    let evocation = Evocation()
    evocation.register(for: Thing.self).repository(remote: things).repository(local: local)
      .strategy(strategy)
    let result = await evocation.find(
      model: Thing.self, criteria: Self.odd, rule: .init(target: .remote, synchronize: .mirror))
    #expect(result.data?.map(\.id) == [1, 3])
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3])
    #expect(
      await evocation.count(model: Thing.self, criteria: Self.odd, rule: .remoteOnly).data == 2)
  }

  @Test
  func `A value that the answer leaves out, and what only the service knows, count as matching`()
    async throws
  {
    let service = Scripted { _ in
      (200, [:], #"[{"id": 1}, {"id": 2, "name": "odd"}, {"id": 3, "name": null}]"#)
    }
    let things = try service.things {
      $0.parameters = ["q"]
      $0.filters.matching = { [URLQueryItem(name: "words", value: $0)] }
    }
    #expect(try await things.find(Self.odd).value.map(\.id) == [1, 2])
    #expect(try await things.find(["q": "a"]).value.map(\.id) == [1, 2, 3])
    #expect(try await things.find(.matching("a") && Self.odd).value.map(\.id) == [1, 2])
  }

  @Test
  func `A closure for queries that writes no order, limit, offset or cursor is not given one`()
    async throws
  {
    let service = Self.service(9)
    let things = try service.things { $0.query = { _ in [] } }
    #expect(try await things.find(Self.odd).value.count == 5)
    for (criteria, part) in [
      (Criteria().sorted(by: "name"), "order"), (Criteria().limit(3), "limit"),
      (Criteria().offset(3), "offset"), (Criteria().after(.text("3")), "cursor"),
    ] {
      let error = await failure { try await things.find(criteria) } as? HTTPError
      #expect(error?.code == .unsupportedCriteria)
      #expect(error?.description.contains("add .\(part) to queryTakes") == true)
    }
    let taking = try service.things {
      $0.queryTakes = [.limit]
      $0.query = { [URLQueryItem(name: "limit", value: "\($0.limit ?? 100)")] }
    }
    #expect(try await taking.find(Criteria().limit(3)).value.map(\.id) == [1, 2, 3])
  }

  @Test func `An answer to an id has that id`() async throws {
    let things = try Scripted { _ in (200, [:], #"{"id": 8}"#) }.things()
    let error = await failure { try await things.findOne(["id": 7]) } as? HTTPError
    #expect(error?.code == .undecodable)
    #expect(error?.description.contains("a model with another id") == true)
    #expect(try await things.findOne(["id": 8]).value?.id == 8)
  }
}
