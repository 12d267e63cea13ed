import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

/// Lists of an HTTP repository, which continue as its format says, with nothing said twice.
@Suite(.patient) struct HTTPListPagingTests {
  private func pages(
    _ remote: HTTPRepository<Thing>, _ options: ListOptions = .init(), size: Int = 10
  ) async throws -> (ids: [Int], last: PageResult?) {
    let evocation = Evocation()
    evocation.register(for: Thing.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Thing>())
    let list = evocation.pagingCache(Thing.self, pageSize: size, options: options)
    #expect(try await list.refresh() == .successful)
    while true {
      let result = await list.goToNextPage()
      guard result == .successful else {
        return (try await list.value(from: .cache).map(\.id), result)
      }
    }
  }

  /// A service without offsets, whose answers have the address of the next page, or a token for it.
  private static func leading(_ key: String, isToken: Bool) -> Scripted {
    Scripted { request in
      let first = request.number("_next") ?? 0
      let length = min(request.number("_size") ?? 10, 45 - first)
      let end = first + length
      let next = isToken ? "\"\(end)\"" : "\"/things?_size=10&_next=\(end)\""
      let things = Thing.json(Thing.list(length, from: first + 1))
      return (200, [:], #"{"rows": \#(things), "\#(key)": \#(end < 45 ? next : "null")}"#)
    }
  }

  @Test func `A list has a model once, as it came last, and the log says that it came twice`()
    async throws
  {
    let lines = Record<String>()
    let log = Evocation.Log { lines.append("\($0)") }
    let service = Scripted { request in
      let all = [Thing(id: 1, name: "a"), Thing(id: 2), Thing(id: 1, name: "b")]
      let first = request.number("offset") ?? 0
      let page = all.dropFirst(first).prefix(request.number("limit") ?? 9)
      return (200, [:], Thing.json(Array(page)))
    }
    let things = try service.things {
      $0.service.log = log
      $0.next = .never
    }
    let once = [Thing(id: 1, name: "b"), Thing(id: 2)]
    for _ in 1...2 { #expect(try await things.find(Criteria()).value == once) }
    #expect(try await things.find(Criteria().limit(3)).value == once)
    #expect(try await things.count(Criteria()) == 2)
    log.flush()
    #expect(lines.elements.filter { $0.contains("several models with one id") }.count == 1)
    let (ids, last) = try await pages(things, size: 3)
    #expect(ids == [1, 2] && last == .skipped(.noMorePages))
  }

  @Test(arguments: [false, true])
  func `a service without offsets is followed by the addresses or tokens of its answers`(
    isToken: Bool
  ) async throws {
    let remote = try Self.leading("next", isToken: isToken).things {
      $0.envelope = .keys(list: "rows", model: nil)
      $0.filters.paging = .limit("_size")
      $0.next = isToken ? .token("next", item: "_next") : .key("next")
    }
    let (ids, last) = try await pages(remote)
    #expect(ids == Array(1...45) && last == .skipped(.noMorePages))
  }

  @Test func `the address of the next page is followed, even where there are offsets`() async throws
  {
    let service = Scripted { request in
      let first = request.number("after") ?? 0
      let next = first < 20 ? ["Link": "</things?limit=10&after=\(first + 10)>; rel=next"] : [:]
      return (200, next, Thing.json(Thing.list(10, from: first + 1)))
    }
    let (ids, last) = try await pages(try service.things())
    #expect(ids == Array(1...30) && last == .skipped(.noMorePages))
    #expect(service.asked.elements.map { $0.number("after") } == [nil, 10, 20])
  }

  @Test func `a service that says nothing is asked by offset`() async throws {
    let service = Scripted { request in
      let offset = request.number("offset") ?? 0
      let length = max(0, min(request.number("limit") ?? 100, 100, 30 - offset))
      return (200, [:], Thing.json(Thing.list(length, from: offset + 1)))
    }
    let (ids, last) = try await pages(try service.things())
    #expect(ids == Array(1...30) && last == .skipped(.noMorePages))
  }

  @Test func `what the app says in the options applies`() async throws {
    let remote = try Self.leading("next", isToken: false).things {
      $0.envelope = .keys(list: "rows", model: nil)
      $0.filters.paging = .limit("_size")
      $0.next = .key("next")
    }
    let (ids, last) = try await pages(remote, .init(paging: .offset))
    guard case .failed(let error as HTTPError)? = last else {
      Issue.record("the second page was \(String(describing: last))")
      return
    }
    #expect(ids == Array(1...10) && error.code == .unsupportedCriteria)
  }

  @Test func `a list in whole pages ends after its last one, as the answers of JSON API say`()
    async throws
  {
    let service = Scripted { request in
      let (page, size) = (request.number("page[number]") ?? 1, request.number("page[size]") ?? 10)
      guard page <= 4 else { return (404, [:], #"{"errors": [{"detail": "Invalid page."}]}"#) }
      let items = (1...size).map { number in
        #"{"type": "things", "id": \#((page - 1) * size + number), "attributes": {}}"#
      }
      let next = page < 4 ? #""/things?page[size]=\#(size)&page[number]=\#(page + 1)""# : "null"
      return (
        200, [:], #"{"data": [\#(items.joined(separator: ","))], "links": {"next": \#(next)}}"#
      )
    }
    func things() throws -> HTTPRepository<Thing> {
      try service.things { $0.format = .jsonAPI }
    }
    for options in [ListOptions(), .init(paging: .offset), .init(paging: .link)] {
      let (ids, last) = try await pages(try things(), options)
      #expect(ids == Array(1...40) && last == .skipped(.noMorePages))
    }
    #expect(try await things().find(Criteria().limit(10).offset(40)).value.isEmpty)
  }

  @Test(arguments: [1, 3, 7, 10, 20, 25, 40])
  func `a list in parts of the service's pages does not end with the service's last page`(
    size: Int
  ) async throws {
    let service = Scripted { request in
      let page = request.number("page") ?? 1
      guard page <= 3 else { return (404, [:], #"{"detail": "Invalid page."}"#) }
      let things = Thing.json(Thing.list(page < 3 ? 10 : 5, from: page * 10 - 9))
      let next = page < 3 ? #""/things?page=\#(page + 1)""# : "null"
      return (200, [:], #"{"results": \#(things), "next": \#(next)}"#)
    }
    for options in [ListOptions(), .init(paging: .offset)] {
      let remote = try service.things {
        $0.envelope = .keys(list: "results", model: nil)
        $0.filters.paging = .page(number: "page", size: nil)
        $0.filters.largestPage = 10
        $0.next = .key("next")
      }
      let (ids, last) = try await pages(remote, options, size: size)
      #expect(ids == Array(1...25) && last == .skipped(.noMorePages))
    }
  }

  @Test(arguments: [ListOptions(), .init(paging: .offset)])
  func `a service that gives all, and says so, is no list of what was asked for`(
    options: ListOptions
  ) async throws {
    let remote = try Scripted { _ in
      (200, [:], #"{"results": \#(Thing.json(Thing.list(25))), "next": null}"#)
    }.things {
      $0.envelope = .keys(list: "results", model: nil)
      $0.next = .key("next")
    }
    // The answer says that nothing follows, once a further page is known to be told of.
    _ = try await remote.find(Criteria())
    let (ids, last) = try await pages(remote, options)
    guard case .failed(let error as HTTPError)? = last else {
      #expect(ids == Array(1...25), "\(String(describing: last))")
      return
    }
    #expect(error.code == .incompleteList)
  }

  @Test func `more than was asked for behind a cursor does not end a list`() async throws {
    let remote = try Scripted { request in
      let things = Thing.json(Thing.list(25).filter { $0.id > request.number("after") ?? 0 })
      return (200, [:], #"{"results": \#(things), "next": null}"#)
    }.things {
      $0.envelope = .keys(list: "results", model: nil)
      $0.next = .key("next")
    }
    let (ids, last) = try await pages(remote, .init(paging: .after))
    #expect(ids == Array(1...25) && last == .skipped(.noMorePages))
  }
}
