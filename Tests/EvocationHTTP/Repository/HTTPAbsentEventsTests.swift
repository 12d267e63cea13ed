import Evocation
import EvocationHTTP
import EvocationLive
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

private struct Letter: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var title: String
  var body: String?
  var isPinned: Bool?
}

/// What keys mean that a change list or an event left out: a summary keeps what local has.
@Suite(.patient) struct HTTPAbsentEventsTests {
  private func locals() throws -> [any Repository<Letter>] {
    [InMemoryRepository<Letter>(), try SQLiteRepository<Letter>(SQLiteDatabase.inMemory())]
  }

  private func register(
    _ remote: HTTPRepository<Letter>, _ local: some Repository<Letter>, by strategy: Strategy
  ) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Letter.self).repository(remote: remote).repository(local: local)
      .strategy(strategy).localKeys(\.isPinned)
    return evocation
  }

  private func all(_ repository: some Repository<Letter>) async throws -> [Letter] {
    try await repository.find(Criteria()).value
  }

  private let before = [
    Letter(id: "1", title: "a", body: "long", isPinned: true),
    Letter(id: "2", title: "b", body: "longer", isPinned: false),
    Letter(id: "3", title: "c", body: "longest"),
  ]
  /// A summary with a new title, one whose body the service has cleared, and one with another body.
  private let news = [
    #"{"id": "1", "title": "A"}"#, #"{"id": "2", "title": "B", "body": null}"#,
    #"{"id": "3", "title": "C", "body": "new"}"#,
  ]
  private let after = [
    Letter(id: "1", title: "A", body: "long", isPinned: true),
    Letter(id: "2", title: "B", body: nil, isPinned: false),
    Letter(id: "3", title: "C", body: "new"),
  ]

  private func changing(_ first: String, _ later: String) throws -> HTTPRepository<Letter> {
    let service = Scripted { request in
      (200, ["ETag": request.item("since") ?? "1"], request.item("since") == nil ? first : later)
    }
    var setup = Setup(.rest)
    setup.transport = service
    setup.format.next = .never
    setup.format.changes = .init(since: "since", mark: .header("ETag"))
    return HTTPRepository(at: try #require(URL(string: "https://example.com")), "letters", setup)
  }

  @Test func `A list of changes names the keys that each of its models lacks`() async throws {
    let remote = try changing(
      "[\(news.joined(separator: ","))]", "[\(news.joined(separator: ","))]")
    for mark in [nil, "1"] {
      let answer = try await remote.changes(Criteria(), since: mark)
      #expect(answer.absentKeys == [["body", "isPinned"], ["isPinned"], ["isPinned"]])
    }
    // Those that no longer match are removed, and the others have their own keys.
    let some = try await remote.changes(Criteria.Key("title") > "A", since: "1")
    #expect(some.value?.models.map(\.id).sorted() == ["2", "3"])
    #expect(some.absentKeys == [["isPinned"], ["isPinned"]])
  }

  @Test func `A model that comes on two pages has what either of them says of it`() async throws {
    let whole = #"{"id": "1", "title": "a", "body": "long"}"#
    for pages in [["[\(whole)]", "[\(news[0])]"], ["[\(news[0])]", "[\(whole)]"]] {
      let service = Scripted { request in
        let page = request.number("page") ?? 1
        let link = page == 1 ? [(key: "Link", value: #"</letters?page=2>; rel="next""#)] : []
        return (
          200, Dictionary(link + [("ETag", "7"), ("X-Total-Count", "\(page)")]) { $1 },
          pages[page - 1]
        )
      }
      var setup = Setup(.rest)
      setup.transport = service
      setup.format.next = .link
      setup.format.total = .header("X-Total-Count")
      setup.format.changes = .init(since: "since", mark: .header("ETag"))
      let remote = HTTPRepository<Letter>(
        at: try #require(URL(string: "https://example.com")), "letters", setup)
      let title = pages[1] == "[\(whole)]" ? "a" : "A"
      let changes = try await remote.changes(Criteria(), since: "6")
      #expect(changes.value?.models == [Letter(id: "1", title: title, body: "long")])
      #expect(changes.absentKeys == [["isPinned"]])
      let list = try await remote.find(Criteria())
      #expect(list.value == [Letter(id: "1", title: title, body: "long")])
      #expect(list.absentKeys == [["isPinned"]])
    }
  }

  @Test func `A refresh by changes keeps what a summary lacks, and null clears`() async throws {
    for local in try locals() {
      let whole =
        #"[{"id": "1", "title": "a"}, {"id": "2", "title": "b"}, {"id": "3", "title": "c"}]"#
      let remote = try changing(whole, "[\(news.joined(separator: ","))]")
      let evocation = register(
        remote, local, by: Strategy(.init(target: .remote, synchronize: .upsert)))
      _ = try await local.store(before)
      let cache = evocation.cache(Letter.self)
      cache.requirements = Criteria()
      _ = try await cache.refresh(force: true)
      #expect(try await all(local) == before, "the first list has summaries alone")
      _ = try await cache.refresh(force: true)
      #expect(try await all(local) == after)
    }
  }

  @Test func `An event names the keys that its models lack`() async throws {
    let server = EventService()
    let letters = Changes(
      HTTPRepository<Letter>(
        try server.service(), "letters", format: .live(.events(path: "events"))))
    let connection = try await server.connection()
    for new in news { connection.send("stored", #"{"path": "letters", "model": \#(new)}"#) }
    connection.send(
      "stored", #"{"path": "letters", "model": [\#(news[1]), {"id": "4", "title": "D"}]}"#)
    try await eventually("the last letter") {
      letters.elements.elements.contains { $0.stored.contains { $0.id == "4" } }
    }
    let told = letters.elements.elements.flatMap { zip($0.stored, $0.absentKeys) }
    #expect(told.first { $0.0.id == "1" }?.1 == ["body", "isPinned"])
    #expect(told.filter { $0.0.id == "2" }.allSatisfy { $0.1 == ["isPinned"] })
    #expect(told.first { $0.0.id == "3" }?.1 == ["isPinned"])
    #expect(told.last?.1 == ["body", "isPinned"])
  }

  @Test func `A summary that follows a whole model in one element keeps what that had`()
    async throws
  {
    let server = EventService()
    let letters = HTTPRepository<Letter>(
      try server.service(), "letters", format: .live(.events(path: "events")))
    var changes = letters.liveChanges(since: nil).makeAsyncIterator()
    _ = try await changes.next()
    let connection = try await server.connection()
    // Ids that are equal to Swift, and of other bytes.
    for model in [
      #"{"id": "é", "title": "a", "body": "long"}"#, #"{"id": "é", "title": "b"}"#,
      #"{"id": "e\u0301", "title": "c"}"#,
    ] {
      connection.send("stored", #"{"path": "letters", "model": \#(model)}"#)
    }
    connection.end()
    var told: [(Letter, Set<String>)] = []
    while let next = try? await changes.next() { told += zip(next.stored, next.absentKeys) }
    let composed = told.filter { $0.0.id.utf8.count == 2 }
    let bodies = composed.filter { !$0.1.contains("body") }.map(\.0.body)
    #expect(composed.last?.0.title == "b" && bodies.last == "long")
    let other = told.filter { $0.0.id.utf8.count == 3 }
    #expect(other.map(\.0) == [Letter(id: "e\u{301}", title: "c")])
    #expect(other.map(\.1) == [["body", "isPinned"]])
  }

  @Test func `An event with a summary keeps what local has, and null clears`() async throws {
    for local in try locals() {
      let server = EventService { request in
        request.isStreamed ? nil : (200, [:], "[]")
      }
      let remote = HTTPRepository<Letter>(
        try server.service(), "letters", format: .live(.events(path: "events")))
      let evocation = register(remote, local, by: .default())
      _ = try await local.store(before)
      evocation.live.start()
      let observation = evocation.observe(model: Letter.self) { _ in }
      let connection = try await server.connection()
      for (number, new) in news.enumerated() {
        connection.send("stored", #"{"path": "letters", "model": \#(new)}"#, id: "\(number)")
      }
      try await eventually("the last event") { try await all(local).last?.title == "C" }
      #expect(try await all(local) == after)
      connection.send(
        "stored", #"{"path": "letters", "model": {"id": "1", "title": "A", "isPinned": false}}"#)
      connection.send("removed", #"{"path": "letters", "id": "2"}"#)
      try await eventually("the removal") { try await all(local).count == 2 }
      #expect(try await all(local).first == after[0], "what is the device's own stays")
      observation.cancel()
    }
  }
}
