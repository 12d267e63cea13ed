import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

/// What a list concludes from an answer that says little about its end.
@Suite(.patient) struct HTTPListEndsTests {
  /// A service that gives at most so many things at once, by limit and offset, and the rest of them
  /// to who asks for it.
  private static func cutting(_ count: Int, at most: Int, newest: Bool = false) -> Scripted {
    Scripted { request in
      let offset = request.number("offset") ?? 0
      let length = max(0, min(request.number("limit") ?? most, most, count - offset))
      var things = Thing.list(length, from: offset + 1)
      if newest { things = things.map { Thing(id: count + 1 - $0.id) } }
      return (200, [:], Thing.json(things))
    }
  }

  private func app(
    _ remote: HTTPRepository<Thing>, _ held: Int
  ) -> (
    Evocation, InMemoryRepository<Thing>
  ) {
    let (evocation, local) = (Evocation(), InMemoryRepository(Thing.list(held)))
    evocation.register(for: Thing.self).repository(remote: remote).repository(local: local)
      .strategy(.remoteFirst)
    return (evocation, local)
  }

  @Test func `the first page of a service that does not page aloud is never taken for all`()
    async throws
  {
    let service = Self.cutting(406, at: 100)
    let lines = Lock<[String]>([])
    let log = Evocation.Log { entry in lines.withLock { $0.append(entry.description) } }
    let remote = try service.things { $0.log = log }
    let (evocation, local) = app(remote, 406)
    for round in 1...3 {
      let result = await evocation.find(model: Thing.self)
      #expect(result.data?.count == 406 && result.origin == .local, "round \(round)")
      #expect((result.metadata[.remote]?.error as? HTTPError)?.code == .incompleteList)
    }
    #expect(try await local.count(Criteria()) == 406)
    // One request behind the first list, and none afterwards.
    #expect(service.asked.elements.count == 4)
    #expect(remote.configurationError?.code == .incompleteList)
    log.flush()
    #expect(lines.withLock { $0.contains { $0.contains("filters.largestPage = 100") } })
    // What is shorter than the cut is whole.
    #expect(try await remote.find(Criteria().limit(20)).value.count == 20)
  }

  @Test func `a list that is whole is looked behind once, and again only when it is longer`()
    async throws
  {
    let count = Lock(30)
    let service = Scripted { request in
      let (offset, count) = (request.number("offset") ?? 0, count.withLock { $0 })
      let length = max(0, min(request.number("limit") ?? 100, 100, count - offset))
      return (200, [:], Thing.json(Thing.list(length, from: offset + 1)))
    }
    let things = try service.things()
    for _ in 0..<3 { #expect(try await things.find(Criteria()).value.count == 30) }
    #expect(service.asked.elements.count == 4)
    count.withLock { $0 = 20 }
    _ = try await things.find(Criteria())
    #expect(service.asked.elements.count == 5)
    count.withLock { $0 = 250 }
    let error = await failure { try await things.find(Criteria()) } as? HTTPError
    #expect(error?.code == .incompleteList)
  }

  private static let said: [([String: String], HTTPFormat.Next)] = [
    (["Link": "</things>; rel=\"first\""], .link), (["X-Total-Count": "30"], .link),
    ([:], .never), ([:], .key("meta.next")), (["Next": ""], .header("Next")),
  ]

  @Test(arguments: said)
  func `a service that says where its lists end is not asked again`(
    head: [String: String], next: HTTPFormat.Next
  ) async throws {
    let service = Scripted { _ in
      guard case .key = next else { return (200, head, Thing.json(Thing.list(30))) }
      return (200, head, #"{"items": \#(Thing.json(Thing.list(30))), "meta": {"next": null}}"#)
    }
    let things = try service.things {
      $0.next = next
      if case .key = next { $0.envelope = .keys(list: "items", model: nil) }
    }
    for _ in 0..<2 { #expect(try await things.find(Criteria()).value.count == 30) }
    #expect(service.asked.elements.count == 2)
  }

  @Test func `a key that no answer has does not say that the list has ended`() async throws {
    let service = Scripted { request in
      let offset = request.number("offset") ?? 0
      let things = Thing.json(Thing.list(20, from: offset + 1))
      return (200, [:], #"{"items": \#(things), "nextPage": "/things?offset=\#(offset + 20)"}"#)
    }
    let things = try service.things {
      $0.next = .key("next")
      $0.envelope = .keys(list: "items", model: nil)
    }
    let error = await failure { try await things.find(Criteria()) } as? HTTPError
    #expect(error?.code == .incompleteList)
  }

  @Test func `a limit that the service passed over for a shorter one removes nothing`() async throws
  {
    let remote = try Self.cutting(406, at: 100, newest: true).things()
    let (evocation, local) = app(remote, 406)
    let cut = await evocation.find(model: Thing.self, criteria: Criteria().limit(200))
    #expect(cut.data?.count == 100 && cut.error == nil)
    #expect(try await local.count(Criteria()) == 406)
    #expect(await evocation.find(model: Thing.self, criteria: Criteria().limit(3)).error == nil)
    #expect(await evocation.findOne(model: Thing.self).error == nil)
    #expect(try await local.count(Criteria()) == 406)
  }

  @Test func `a list that ended before its limit removes what it does not have`() async throws {
    let few = try Self.cutting(4, at: 100).things()
    let (evocation, local) = app(few, 8)
    #expect(await evocation.find(model: Thing.self, criteria: Criteria().limit(20)).error == nil)
    #expect(try await local.count(Criteria()) == 4)

    let said = Scripted { _ in (200, ["X-Total-Count": "30"], Thing.json(Thing.list(30))) }
    let (other, device) = app(try said.things(), 40)
    #expect(await other.find(model: Thing.self, criteria: Criteria().limit(50)).error == nil)
    #expect(try await device.count(Criteria()) == 30)

    let counted = Scripted { _ in (200, ["X-Total-Count": "406"], Thing.json(Thing.list(30))) }
    let cut = app(try counted.things(), 40)
    _ = await cut.0.find(model: Thing.self, criteria: Criteria().limit(50))
    #expect(try await cut.1.count(Criteria()) == 40)
  }

  @Test func `a list to which others add is read to its end, with each model once`() async throws {
    // The newest first: what is added moves the last of a page to the next one.
    let total = Lock(30)
    let service = Scripted { request in
      let page = request.number("page") ?? 1
      let count = total.withLock { total in
        defer { total += 1 }
        return total
      }
      let ids = (1...count).reversed().dropFirst((page - 1) * 10).prefix(10)
      let next = page * 10 < count ? ["Link": "</things?page=\(page + 1)>; rel=next"] : [:]
      let things = Thing.json(ids.map { Thing(id: $0) })
      return (200, next.merging(["X-Total-Count": "\(count)"]) { $1 }, things)
    }
    let found = try await service.things().find(Criteria()).value.map(\.id)
    #expect(Set(found).count == found.count)
    #expect(Set(found) == Set(Thing.list(30).map(\.id)))
  }

  @Test func `a list that loses models while it is read is read again, some times`() async throws {
    for (removals, isRead) in [(1, true), (2, true), (10, false)] {
      let left = Lock(removals)
      let service = Scripted { request in
        let page = request.number("page") ?? 1
        let count = left.withLock { left in
          defer { if page == 1, left > 0 { left -= 1 } }
          return 30 + left
        }
        let now = page == 1 ? count : 30 + left.withLock { $0 }
        let things = Thing.list(min(10, max(0, now - (page - 1) * 10)), from: (page - 1) * 10 + 1)
        let next = page * 10 < now ? ["Link": "</things?page=\(page + 1)>; rel=next"] : [:]
        return (200, next.merging(["X-Total-Count": "\(now)"]) { $1 }, Thing.json(things))
      }
      let things = try service.things()
      if isRead {
        #expect(try await things.find(Criteria()).value == Thing.list(30))
      } else {
        let error = await failure { try await things.find(Criteria()) } as? HTTPError
        #expect(error?.code == .incompleteList && error?.failureKind == .transient)
        #expect("\(error as Any)".contains("while Evocation read it"))
      }
    }
  }
}
