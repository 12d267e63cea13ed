import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A list is whole, or an error: nothing that is a part is taken for all.
@Suite(.patient) struct HTTPWholeListTests {
  /// A service that has so many things, and gives a page of them by number, of a length of its own.
  private static func pages(
    _ count: Int, of length: Int, _ head: [String: String] = [:]
  ) -> Scripted {
    Scripted { request in
      let page = (request.number("page") ?? 1) - 1
      let first = page * length + 1
      guard first <= max(count, 1) else { return (404, [:], #"{"detail": "Invalid page."}"#) }
      let things = Thing.list(max(0, min(length, count - first + 1)), from: first)
      return (200, head, Thing.json(things))
    }
  }

  /// A service that has so many things, and gives at most so many at once, by limit and offset.
  private static func parts(_ count: Int, most: Int, total: Bool = false) -> Scripted {
    Scripted { request in
      let offset = request.number("offset") ?? 0
      let length = min(request.number("limit") ?? most, most, max(0, count - offset))
      let head = total ? ["X-Total-Count": "\(count)"] : [:]
      return (200, head, Thing.json(Thing.list(length, from: offset + 1)))
    }
  }

  @Test func `Changes in parts by offset are read to their end, with the mark of the first`()
    async throws
  {
    let service = Scripted { request in
      let offset = request.number("offset") ?? 0
      let things = Thing.list(min(100, 250 - offset), from: offset + 1)
      return (200, ["ETag": "\"\(offset)\""], Thing.json(things))
    }
    let things = try service.things {
      $0.filters.largestPage = 100
      $0.next = .offset
      $0.changes = .init(since: "since", mark: .header("ETag"))
    }
    for mark in [nil, "7"] {
      let changes = try #require(try await things.changes(Criteria(), since: mark).value)
      #expect(
        changes.models.count == 250 && changes.mark == "0" && changes.isWhole == (mark == nil))
    }
    #expect(service.asked.elements.map { $0.item("since") } == [nil, nil, nil, "7", "7", "7"])
    #expect(service.asked.elements.allSatisfy { $0.item("limit") == "100" })
  }

  @Test func `A service that passes over the size of a page is found out, and not skipped through`()
    async throws
  {
    let service = Self.pages(1000, of: 100)
    let things = try service.things { $0.filters.paging = .page(number: "page", size: "page_size") }
    let error = await failure { try await things.find(Criteria().limit(20)) } as? HTTPError
    #expect(error?.code == .incompleteList)
    #expect("\(error as Any)".contains("write filters.paging with size: nil"))
    let whole = try Scripted { _ in (200, [:], Thing.json(Thing.list(50))) }.things()
    #expect(try await whole.find(Criteria().limit(20)).value == Thing.list(20))
    let behind = await failure { try await whole.find(Criteria().limit(20).offset(20)) }
    #expect(
      "\(behind as Any)".contains(
        "has 50 models where Evocation asked for 20 after the "
          + "first 20"))
    // It says how long its pages are, and parts of any length are cut out of these.
    let fixed = try service.things {
      $0.filters.paging = .page(number: "page", size: nil)
      $0.filters.largestPage = 100
      $0.next = .offset
      $0.routes.find.done = [404]
    }
    for (offset, limit) in [(0, 20), (20, 20), (90, 30), (250, 300), (995, 20), (1000, 20)] {
      let found = try await fixed.find(Criteria().offset(offset).limit(limit)).value
      #expect(
        found.map(\.id) == Array((offset + 1)..<max(offset + 1, min(offset + limit, 1000) + 1)))
    }
    #expect(try await fixed.find(Criteria()).value == Thing.list(1000))
  }

  @Test func `A first page that is not there is an error, and leaves local as it is`() async throws
  {
    let service = Scripted { _ in (404, ["Content-Type": "text/html"], "<html>deploying</html>") }
    let remote = try service.things {
      $0.routes.find.done = [404]
      $0.filters.paging = .page(number: "page", size: "size")
    }
    let local = InMemoryRepository(Thing.list(3))
    let evocation = Evocation()
    evocation.register(for: Thing.self).repository(remote: remote).repository(local: local)
      .strategy(.remoteFirst)
    let result = await evocation.find(model: Thing.self)
    #expect((result.metadata[.remote]?.error as? HTTPError)?.code == .notFound)
    #expect(try await local.count(Criteria()) == 3)
    #expect(try await remote.find(Criteria().limit(5).offset(5)).value.isEmpty)
  }

  @Test func `A part that is shorter than it was asked for is not taken for the last`() async throws
  {
    let service = Self.parts(120, most: 50)
    let things = try service.things {
      $0.next = .offset
      $0.filters.largestPage = 1000
    }
    #expect(try await things.find(Criteria()).value == Thing.list(120))
    #expect(try await things.find(Criteria().limit(70)).value == Thing.list(70))
    // By now it is known to give fifty at once, so that ten are the end.
    let count = service.asked.elements.count
    #expect(try await things.find(Criteria().offset(110)).value == Thing.list(10, from: 111))
    #expect(service.asked.elements.count == count + 1)
  }

  @Test func `A total that says more is an error with the line that mends it`() async throws {
    let things = try Self.parts(120, most: 50, total: true).things()
    let error = await failure { try await things.find(Criteria()) } as? HTTPError
    #expect(error?.code == .incompleteList)
    #expect(
      "\(error as Any)".contains(
        "ends after 50 of 120 models; set how lists continue in format.next, or how long their "
          + "pages are in filters.largestPage"))
    #expect(try await things.find(Criteria().limit(50)).value.count == 50)
    #expect(try await things.find(Criteria().offset(100)).value.count == 20)
    let more = await failure { try await things.find(Criteria().limit(60)) } as? HTTPError
    #expect(more?.code == .incompleteList)
  }

  @Test func `A total that becomes smaller each time a list is read is an error`() async throws {
    let service = Scripted { request in
      let page = request.number("page") ?? 1
      let next = page < 3 ? ["Link": "</things?page=\(page + 1)>; rel=next"] : [:]
      return (
        200, next.merging(["X-Total-Count": page == 3 ? "29" : "30"]) { $1 },
        Thing.json(Thing.list(10, from: page * 10))
      )
    }
    let error = await failure { try await service.things().find(Criteria()) } as? HTTPError
    #expect(error?.code == .incompleteList)
    #expect("\(error as Any)".contains("had 30 models, and then 29, while Evocation read it"))
    #expect(error?.failureKind == .transient)
    #expect(service.asked.elements.count == 9)
  }

  @Test func `A format that says it never pages is caught where the service does`() async throws {
    let linked = Self.pages(100, of: 30, ["Link": "</things?page=2>; rel=\"next\""])
    let never = try linked.things { $0.next = .never }
    let error = await failure { try await never.find(Criteria()) } as? HTTPError
    #expect("\(error as Any)".contains("write format.next = .link"))
    // Plain REST follows the link.
    let circle = await failure { try await linked.things().find(Criteria()) } as? HTTPError
    #expect(circle?.reason == "has pages that form a circle; let the last page name no next one")
    let counted = Self.pages(100, of: 30, ["X-Total-Count": "100"])
    let total = await failure {
      try await counted.things { $0.next = .never }.find(Criteria())
    }
    #expect((total as? HTTPError)?.code == .incompleteList)
  }

  @Test func `A list as long as any before it is looked behind, and no shorter one`() async throws {
    let service = Self.parts(120, most: 30)
    let things = try service.things()
    let (one, other) = (Criteria.Key("rev") == 1, Criteria.Key("rev") == 2)
    let error = await failure { try await things.find(other) } as? HTTPError
    #expect(error?.code == .incompleteList)
    #expect(
      "\(error as Any)".contains(
        "has 30 models, and the service has more without saying so; set how lists continue "
          + "in format.next, such as .offset with filters.largestPage = 30"))
    // Lists that are as long as each other and whole are given.
    let whole = Self.parts(30, most: 1000)
    let all = try whole.things()
    for criteria in [one, other] { #expect(try await all.find(criteria).value.count == 30) }
    for criteria in [one, other] { #expect(try await all.find(criteria).value.count == 30) }
    #expect(whole.asked.elements.count == 6)
    // A service that has given a longer one has no pages of that length.
    let longer = Scripted { request in
      (200, [:], Thing.json(Thing.list(request.item("rev") == nil ? 40 : 30)))
    }
    let some = try longer.things()
    for criteria in [Criteria(), one, other] { _ = try await some.find(criteria) }
    #expect(longer.asked.elements.count == 4)
    // One that gives the same again, whatever part is asked for, has no others.
    let same = Scripted { _ in (200, [:], Thing.json(Thing.list(30))) }
    let none = try same.things()
    for criteria in [one, other] { #expect(try await none.find(criteria).value.count == 30) }
  }

  @Test func `A token in the body, or the last id, leads to the end`() async throws {
    let tokens = Scripted { request in
      let page = request.item("offset").map { $0 == "b" ? 2 : 3 } ?? 1
      let next = ["\"b\"", "\"c\"", "null"][page - 1]
      let things = Thing.json(Thing.list(10, from: page * 10))
      return (200, [:], #"{"records": \#(things), "offset": \#(next)}"#)
    }
    let airtable = try tokens.things {
      $0.envelope = .keys(list: "records", model: nil)
      $0.next = .token("offset", item: "offset")
      $0.filters.paging = .limit("maxRecords")
    }
    #expect(try await airtable.find(Criteria()).value == Thing.list(30, from: 10))
    #expect(tokens.lines == ["GET /things", "GET /things?offset=b", "GET /things?offset=c"])
    let ids = Scripted { request in
      let first = (request.number("starting_after") ?? 0) + 1
      let more = first < 20
      return (
        200, [:], #"{"data": \#(Thing.json(Thing.list(10, from: first))), "has_more": \#(more)}"#
      )
    }
    let stripe = try ids.things {
      $0.envelope = .keys(list: "data", model: nil)
      $0.next = .last(item: "starting_after", more: "has_more")
    }
    #expect(try await stripe.find(Criteria()).value == Thing.list(30))
  }

  @Test func `A list that goes on and says no way, or the same way again, is an error`()
    async throws
  {
    let (some, none) = (Thing.json(Thing.list(2)), "[]")
    for (body, next, reason) in [
      (
        #"{"data": \#(some), "has_more": true}"#,
        HTTPFormat.Next.token("next", item: "token", more: "has_more"),
        "continues, by \"has_more\", and has no \"next\" that names the next page"
      ),
      (
        #"{"data": \#(none), "has_more": true}"#, .last(item: "after", more: "has_more"),
        "continues, by \"has_more\", and has no model that the next page follows"
      ),
      (
        #"{"data": \#(some), "next": "x"}"#, .token("next", item: "token"),
        "has pages that form a circle; let the last page name no next one"
      ),
      (
        #"{"data": \#(some), "next": "https://elsewhere.com/2"}"#, .key("next"),
        "continues at elsewhere.com, and Evocation does not follow links to other hosts"
      ),
    ] {
      let things = try Scripted { _ in (200, [:], body) }.things {
        $0.envelope = .key("data")
        $0.next = next
      }
      let error = await failure { try await things.find(Criteria()) } as? HTTPError
      #expect(error?.code == .incompleteList && error?.reason == reason)
    }
  }

  @Test func `A next page at the service's own host is asked for as the service is`() async throws {
    for next in [
      "http://example.com/api/things?page=2", "http://EXAMPLE.com:8000/api/things?page=2",
      "/api/things?page=2", "https://example.com/api/things?page=2&key=s&v=1",
    ] {
      let service = Scripted { request in
        let isLast = request.item("page") == "2"
        let things = Thing.json(Thing.list(2, from: isLast ? 3 : 1))
        return (200, isLast ? [:] : ["Link": "<\(next)>; rel=\"next\""], things)
      }
      let things = try service.things(at: "https://example.com/api?v=1") {
        $0.prepare = { request in request.url.append(queryItems: [.init(name: "key", value: "s")]) }
      }
      #expect(try await things.find(Criteria()).value == Thing.list(4))
      let asked = service.asked.elements.map(\.url.absoluteString)
      #expect(
        asked == [
          "https://example.com/api/things?v=1&key=s",
          "https://example.com/api/things?v=1&page=2&key=s",
        ])
      // A list that is shown page by page keeps no credential in its links, and follows their path.
      let link = try await things.find(Criteria().limit(2)).metadata["next"] as? URL
      #expect(link?.absoluteString == "https://example.com/api/things?page=2")
      _ = try await things.find(Criteria().after(.link(try #require(link))))
      #expect(service.asked.elements.last?.url.absoluteString == asked.last)
    }
    let paths = Scripted { request in
      (200, [:], Thing.json(Thing.list(1, from: request.url.path().hasSuffix("/2") ? 2 : 1)))
    }
    let link = try #require(URL(string: "http://example.com/things/page/2"))
    let second = try await paths.things().find(Criteria().after(.link(link))).value
    #expect(second.map(\.id) == [2])
    #expect(paths.lines == ["GET /things/page/2"])
  }
}

/// What local and caches make of a service whose lists have no known end.
@Suite(.patient) struct HTTPOpenEndTests {
  @Test func `What takes a list for the whole refuses a format that does not say where lists end`()
    async throws
  {
    let service = Scripted { _ in (200, [:], Thing.json(Thing.list(2))) }
    var setup = Setup(HTTPFormat())
    setup.transport = service
    let url = try #require(URL(string: "https://example.com"))
    let remote = HTTPRepository<Thing>(at: url, "things", setup)
    let local = InMemoryRepository(Thing.list(5))
    let evocation = Evocation()
    let proxy = evocation.register(for: Thing.self).repository(remote: remote)
      .repository(local: local)
    proxy.strategy(.remoteFirst)
    #expect(throws: EvocationError.self) { try proxy.validate() }
    let mirrored = await evocation.find(model: Thing.self)
    proxy.strategy(.cacheFirst(maxAge: .seconds(60)))
    let dated = await evocation.find(model: Thing.self)
    let cache = evocation.cache(Thing.self, maxAge: .seconds(60))
    cache.requirements = Criteria()
    guard case .failed(let cached) = try await cache.refresh(force: true) else {
      Issue.record("the cache was refreshed")
      return
    }
    let prefetched = await evocation.prefetch(Thing.self)
    for error in [mirrored.error, dated.error, cached, prefetched.error] as [(any Error)?] {
      #expect("\(error as Any)".contains("write format.next = .never"))
    }
    #expect(
      EvocationError.openEnded(model: "", reason: "").logDescription == "no known end of lists")
    #expect(try await local.count(Criteria()) == 5)
    #expect(service.asked.elements.isEmpty)
    // What has a limit is a part anyhow, and a plain find gives what came.
    proxy.strategy(.remoteOnly)
    try proxy.validate()
    #expect(await evocation.find(model: Thing.self).data?.count == 2)
    let changed = Setup(.rest)
    #expect(HTTPRepository<Thing>(at: url, "things", changed).openEnd == nil)
  }
}
