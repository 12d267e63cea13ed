import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

private struct Article: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var title: String
  var body: String?
  var isPinned: Bool?
}

/// A service whose lists have summaries, and which records what it is sent.
private final class Articles: HTTPTransport {
  /// The service's own state of each article.
  let kept: Lock<[Int: Article]>
  let bodies = Lock<[String]>([])

  init(_ articles: [Article]) {
    kept = Lock(Dictionary(uniqueKeysWithValues: articles.map { ($0.id, $0) }))
  }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    let id = Int(request.url.lastPathComponent)
    let text = request.body.map { String(decoding: $0, as: UTF8.self) }
    if let text { bodies.withLock { $0.append("\(request.method) \(text)") } }
    let sent = try request.body.map { try JSONSerialization.jsonObject(with: $0) }
    let object = sent as? [String: Any]
    return try kept.withLock { kept in
      if request.method == "POST", let new = object?["id"] as? Int {
        kept[new] = Article(id: new, title: object?["title"] as? String ?? "")
        return try answer(whole(kept[new]))
      }
      guard let id else {
        let all = kept.values.sorted { $0.id < $1.id }
        return try answer(all.map { ["id": $0.id, "title": $0.title] })
      }
      if request.method == "DELETE" { return try answer(whole(kept.removeValue(forKey: id))) }
      if let object {
        if request.method == "PUT", kept[id] == nil { kept[id] = Article(id: id, title: "") }
        if kept[id] == nil { return try answer([:], status: 404) }
        if let title = object["title"] as? String { kept[id]?.title = title }
        if request.method == "PUT" || object.keys.contains("body") {
          kept[id]?.body = object["body"] as? String
        }
      }
      return try answer(whole(kept[id]))
    }
  }

  /// An article with all that the service has: it does not know what is pinned.
  private func whole(_ article: Article?) -> [String: Any] {
    guard let article else { return [:] }
    return ["id": article.id, "title": article.title, "body": article.body ?? NSNull()]
  }

  private func answer(_ json: Any, status: Int = 200) throws -> HTTPTransportResponse {
    let data = try JSONSerialization.data(withJSONObject: json)
    let body = AsyncThrowingStream<Data, any Error> { pieces in
      pieces.yield(data)
      pieces.finish()
    }
    return HTTPTransportResponse(status: status, headers: [:], body: body)
  }
}

/// A model that has a value of its own where an answer has none.
private struct Tagged: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var title: String
  var tags: [String]

  init(id: Int, title: String, tags: [String]) {
    (self.id, self.title, self.tags) = (id, title, tags)
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(Int.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    tags = try values.decodeIfPresent([String].self, forKey: .tags) ?? []
  }
}

/// A service whose lists leave out the tags.
private struct Summarizing: ForwardingRepository {
  let base: InMemoryRepository<Tagged>

  func find(_ criteria: Criteria) async throws -> Response<[Tagged]> {
    let found = try await base.find(criteria).value
    if criteria.predicate != nil { return Response(found) }
    return Response(
      found.map { Tagged(id: $0.id, title: $0.title, tags: []) },
      absentKeys: found.map { _ in ["tags"] })
  }
}

/// What an answer says under a key.
private enum Said: CaseIterable {
  case absent, null, value
}

@Suite(.patient) struct AbsentKeysTests {
  private let service = Articles([Article(id: 1, title: "a", body: "long")])

  private func remote(_ format: HTTPFormat = .rest) throws -> HTTPRepository<Article> {
    let url = try #require(URL(string: "https://example.com"))
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    return HTTPRepository(
      HTTPService(url, configuration: configuration), "articles", format: format)
  }

  private func set(_ local: some Repository<Article>, on proxy: Proxy<Article>) {
    proxy.repository(local: local)
  }

  /// A remote repository with one answer.
  private struct Answering: Repository {
    let answer: Response<[Article]>
    func find(_ criteria: Criteria) async throws -> Response<[Article]> { answer }
    func store(_ models: [Article]) async throws -> Response<[Article]> { answer }
    func update(_ models: [Article]) async throws -> Response<[Article]> { answer }
    func storeOrUpdate(_ models: [Article]) async throws -> Response<[Article]> { answer }
    func remove(_ models: [Article]) async throws -> Response<[Article]> { answer }
  }

  /// A repository without transactions.
  private struct Plain<Model: Codable & Identifiable & Sendable>: ForwardingRepository {
    let base = InMemoryRepository<Model>()
  }

  @Test(arguments: 0..<3)
  func `an absent key keeps what local has, null clears it, a value sets it`(
    store: Int
  ) async throws {
    for (said, held) in Said.allCases.flatMap({ said in [nil, "held"].map { (said, $0) } }) {
      for isMirroring in [true, false] {
        let locals: [any Repository<Article>] = [
          InMemoryRepository<Article>(), try SQLiteRepository<Article>(SQLiteDatabase.inMemory()),
          Plain<Article>(),
        ]
        let local = locals[store]
        _ = try await local.store([Article(id: 1, title: "a", body: held)])
        let answered = Article(id: 1, title: "new", body: said == .value ? "said" : nil)
        let remote = Answering(
          answer: Response([answered], absentKeys: said == .absent ? [["body"]] : []))
        let evocation = Evocation(configuration: .init(clock: ManualClock()))
        let proxy = evocation.register(for: Article.self).repository(remote: remote)
          .strategy(isMirroring ? .remoteFirst : .default())
        set(local, on: proxy)
        let expected: String? =
          switch said {
          case .absent: held
          case .null: nil
          case .value: "said"
          }
        let found = await evocation.find(model: Article.self)
        #expect(found.error == nil && found.synchronizationError == nil)
        #expect(found.data?.map(\.body) == [expected], "\(said) \(held ?? "nil")")
        #expect(try await local.find(Criteria()).value.map(\.body) == [expected])
        #expect(try await local.find(Criteria()).value.map(\.title) == ["new"])
      }
    }
  }

  @Test func `an edit from a list of summaries clears nothing at the service`() async throws {
    for strategy in [Strategy.remoteFirst, .staleWhileRevalidate(maxAge: .seconds(60)), .default()]
    {
      for knowsBody in [true, false] {
        service.kept.withLock { $0[1] = Article(id: 1, title: "a", body: "long") }
        let local = try SQLiteRepository<Article>(SQLiteDatabase.inMemory())
        let evocation = Evocation(configuration: .init(clock: ManualClock()))
        try evocation.register(
          Article.self, remote: remote(), local: local, strategy: strategy)
        if knowsBody { _ = try await evocation.findOne(Article.self, id: 1) }
        var summary = try #require(try await evocation.find(Article.self).first)
        #expect(summary.body == (knowsBody ? "long" : nil))
        summary.title = "edited"
        let updated = await evocation.updateOne(summary)
        #expect(updated.error == nil && updated.synchronizationError == nil)
        #expect(
          service.kept.withLock { $0[1] } == Article(id: 1, title: "edited", body: "long"))
        summary.body = nil
        if knowsBody {
          _ = await evocation.updateOne(summary)
          #expect(service.kept.withLock { $0[1]?.body } == nil, "\(service.bodies.withLock { $0 })")
        }
      }
    }
  }

  @Test func `an edit from a list of summaries is sent later as the change that it is`()
    async throws
  {
    let local = try SQLiteRepository<Article>(SQLiteDatabase.inMemory())
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    try evocation.register(
      Article.self, remote: remote(), local: local, strategy: .offlineFirst)
    _ = await evocation.prefetch(Article.self)
    _ = try await evocation.findOne(Article.self, where: ["id": 1], rule: .remoteFirst)
    var summary = try #require(try await local.find(Criteria()).value.first)
    #expect(summary.body == "long")
    _ = await evocation.prefetch(Article.self, maxAge: .zero)
    #expect(try await local.find(Criteria()).value.first?.body == "long")
    summary.title = "edited"
    #expect(await evocation.updateOne(summary).error == nil)
    _ = await evocation.outbox.flush()
    #expect(service.kept.withLock { $0[1] } == Article(id: 1, title: "edited", body: "long"))
    #expect(
      try await local.find(Criteria()).value == [Article(id: 1, title: "edited", body: "long")])
  }

  @Test(arguments: [true, false])
  func `an edit of a summary is sent later, though the app has never read the rest`(
    sendsChanges: Bool
  ) async throws {
    var format = HTTPFormat.rest
    format.routes.updateOne.sendsChanges = sendsChanges
    let remote = try remote(format)
    let locals: [any Repository<Article>] = [
      InMemoryRepository<Article>(), try SQLiteRepository<Article>(SQLiteDatabase.inMemory()),
    ]
    for local in locals {
      service.kept.withLock { $0 = [1: Article(id: 1, title: "a", body: "long")] }
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      let proxy = evocation.register(for: Article.self).repository(remote: remote)
        .strategy(.offlineFirst)
      set(local, on: proxy)
      _ = await evocation.prefetch(Article.self)
      #expect(await evocation.updateOne(Article(id: 1, title: "edited")).error == nil)
      _ = await evocation.outbox.flush()
      let whole = Article(id: 1, title: "edited", body: "long")
      #expect(service.kept.withLock { $0[1] } == whole)
      #expect(try await local.find(Criteria()).value == [whole])
    }
  }

  /// What the app has read of an article before it removes it.
  private enum Read: CaseIterable {
    case summary, pageOfSummaries, listOfSummaries, whole, wholeAndSummary, summaryAndWhole

    var isSummary: Bool { [.summary, .pageOfSummaries, .listOfSummaries].contains(self) }
  }

  @Test(arguments: [nil, "long"])
  func `a removal is a conflict if anything has changed that the app has read`(
    body: String?
  ) async throws {
    for (read, change) in Read.allCases.flatMap({ read in (0...2).map { (read, $0) } }) {
      let locals: [any Repository<Article>] = [
        InMemoryRepository<Article>(), try SQLiteRepository<Article>(SQLiteDatabase.inMemory()),
      ]
      for local in locals {
        service.kept.withLock { $0 = [1: Article(id: 1, title: "a", body: body)] }
        let evocation = Evocation(configuration: .init(clock: ManualClock()))
        let proxy = evocation.register(for: Article.self).repository(remote: try remote())
          .strategy(.offlineFirst)
        set(local, on: proxy)
        switch read {
        case .summary, .summaryAndWhole: _ = await evocation.prefetch(Article.self)
        case .pageOfSummaries, .listOfSummaries:
          var options = ListOptions()
          options.refreshes = read == .pageOfSummaries ? .firstPage : .allPages
          let list = evocation.pagingCache(Article.self, pageSize: 5, options: options)
          for _ in 0..<2 { _ = try await list.refresh(force: true) }
        case .whole, .wholeAndSummary: break
        }
        if !read.isSummary {
          _ = try await evocation.findOne(Article.self, id: 1, rule: .remoteFirst)
        }
        if read == .wholeAndSummary {
          _ = await evocation.prefetch(Article.self, maxAge: .zero)
        }
        let held = try #require(try await local.find(Criteria()).value.first)
        service.kept.withLock { kept in
          if change == 1 { kept[1]?.title = "other" }
          if change == 2 { kept[1]?.body = "other" }
        }
        #expect(await evocation.removeOne(held).error == nil)
        let isConflict = change == 1 || change == 2 && !read.isSummary
        _ = await evocation.outbox.flush()
        #expect(service.kept.withLock { $0[1] == nil } != isConflict, "\(read), \(change)")
      }
    }
  }

  private func taggedStores() throws -> [any Repository<Tagged>] {
    [InMemoryRepository<Tagged>(), try SQLiteRepository<Tagged>(SQLiteDatabase.inMemory())]
  }

  /// Registers a service whose lists leave out the tags of its models.
  private func summarized(
    over local: some Repository<Tagged>, count: Int = 1
  ) -> (Summarizing, Evocation) {
    let models = (1...count).map { Tagged(id: $0, title: "a", tags: ["x"]) }
    let service = Summarizing(base: InMemoryRepository(models))
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Tagged.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return (service, evocation)
  }

  @Test func `an edit of a summary keeps what the service has in place of the type's default`()
    async throws
  {
    for local in try taggedStores() {
      let (service, evocation) = summarized(over: local)
      _ = await evocation.prefetch(Tagged.self)
      #expect(await evocation.updateOne(Tagged(id: 1, title: "edited", tags: [])).error == nil)
      _ = await evocation.outbox.flush()
      let whole = [Tagged(id: 1, title: "edited", tags: ["x"])]
      #expect(try await service.base.find(Criteria()).value == whole)
      #expect(try await local.find(Criteria()).value == whole)
    }
  }

  @Test func `a summary unsays nothing that a whole answer has said`() async throws {
    for local in try taggedStores() {
      let (service, evocation) = summarized(over: local)
      _ = try await evocation.findOne(Tagged.self, id: 1, rule: .remoteFirst)
      _ = await evocation.prefetch(Tagged.self)
      let held = try #require(try await local.find(Criteria()).value.first)
      #expect(held.tags == ["x"])
      let other = Tagged(id: 1, title: "a", tags: ["y"])
      _ = try await service.base.updateOne(other)
      #expect(await evocation.removeOne(held).error == nil)
      _ = await evocation.outbox.flush()
      #expect(try await service.base.find(Criteria()).value == [other], "nobody saw these tags")
    }
  }

  @Test func `what no answer had is known after a restart`() async throws {
    let folder = try TemporaryFolder()
    for isFirst in [true, false] {
      let database = try SQLiteDatabase(path: folder.path())
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      try evocation.register(
        Article.self, remote: remote(), local: SQLiteRepository(database),
        strategy: .offlineFirst)
      if isFirst {
        _ = await evocation.prefetch(Article.self)
      } else {
        #expect(await evocation.removeOne(Article(id: 1, title: "a")).error == nil)
        _ = await evocation.outbox.flush()
        #expect(service.kept.withLock(\.isEmpty))
      }
      await database.close()
    }
  }

  @Test(arguments: 0..<3, [ListOptions.Refresh.firstPage, .allPages])
  func `a list keeps what local has of its models`(
    store: Int, refreshes: ListOptions.Refresh
  ) async throws {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    let proxy = evocation.register(for: Article.self).repository(remote: try remote())
      .strategy(.remoteFirst)
    let stores: [any Repository<Article>] = [
      InMemoryRepository<Article>(), try SQLiteRepository<Article>(SQLiteDatabase.inMemory()),
      Plain<Article>(),
    ]
    set(stores[store], on: proxy)
    _ = try await evocation.findOne(Article.self, id: 1)
    var options = ListOptions()
    options.refreshes = refreshes
    let list = evocation.pagingCache(Article.self, pageSize: 5, options: options)
    for _ in 0..<2 {
      _ = try await list.refresh(force: true)
      #expect(try await list.value(from: .cache).map(\.body) == ["long"])
    }
  }

  @Test func `a list of several pages keeps what local has of its models`() async throws {
    for local in try taggedStores() + [Plain<Tagged>()] {
      let (service, evocation) = summarized(over: local, count: 3)
      for id in 1...3 { _ = try await evocation.findOne(Tagged.self, id: id, rule: .remoteFirst) }
      var options = ListOptions()
      options.refreshes = .allPages
      let list = evocation.pagingCache(Tagged.self, pageSize: 1, options: options)
      _ = try await list.refresh(force: true)
      for _ in 0..<2 { _ = await list.goToNextPage() }
      let new = (1...3).map { Tagged(id: $0, title: "new", tags: ["x"]) }
      _ = try await service.base.update(new)
      _ = try await list.refresh(force: true)
      #expect(try await list.value(from: .cache) == new)
      #expect(try await local.find(Criteria()).value == new)
    }
  }

  @Test func `a property of the device alone stays nil though a service has one of its name`()
    async throws
  {
    for isPinned in [nil, false, true] {
      let remote = Answering(answer: Response([Article(id: 1, title: "new", isPinned: true)]))
      let local = InMemoryRepository([Article(id: 1, title: "old", isPinned: isPinned)])
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      try evocation.register(Article.self, remote: remote, local: local, strategy: .remoteFirst)
        .localKeys(\.isPinned)
      let expected = [Article(id: 1, title: "new", isPinned: isPinned)]
      #expect(try await evocation.find(Article.self) == expected)
      #expect(try await local.find(Criteria()).value == expected)
    }
  }

  @Test func `a model that lacks only what the device has is replaced as before`() async throws {
    service.kept.withLock { $0[1]?.body = nil }
    let remote = try remote()
    remote.omit(["isPinned"])
    // An answer with all that the service has, which lacks what the device has.
    _ = try await remote.findOne(["id": 1])
    _ = try await remote.storeOrUpdate([Article(id: 1, title: "b", body: "x")])
    #expect(service.bodies.withLock { $0.last }?.hasPrefix("PUT ") == true)
    // A list of summaries has not said whether there is a body.
    _ = try await remote.find(Criteria())
    _ = try await remote.storeOrUpdate([Article(id: 3, title: "c")])
    #expect(service.bodies.withLock { $0.contains { $0.hasPrefix("PATCH ") } })
  }

  @Test func `a property of the device alone is neither touched by answers nor sent`() async throws
  {
    for strategy in [Strategy.remoteFirst, .offlineFirst, .default()] {
      service.kept.withLock { $0 = [1: Article(id: 1, title: "a", body: "long")] }
      service.bodies.withLock { $0 = [] }
      let local = try SQLiteRepository<Article>(SQLiteDatabase.inMemory())
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      try evocation.register(Article.self, remote: remote(), local: local, strategy: strategy)
        .localKeys(\.isPinned)
      _ = await evocation.prefetch(Article.self)
      var article = try #require(try await local.find(Criteria()).value.first)
      article.isPinned = true
      article.title = "pinned"
      #expect(await evocation.updateOne(article).error == nil)
      _ = await evocation.outbox.flush()
      #expect(try await local.find(Criteria()).value.first?.isPinned == true)
      _ = await evocation.find(model: Article.self, rule: .remoteFirst)
      _ = await evocation.prefetch(Article.self, maxAge: .zero)
      _ = try await evocation.cache(Article.self).refresh(force: true)
      #expect(try await local.find(Criteria()).value.first?.isPinned == true)
      let new = Article(id: 2, title: "b", isPinned: true)
      #expect(await evocation.storeOne(new).error == nil)
      _ = await evocation.outbox.flush()
      #expect(try await local.findOne(["id": 2]).value?.isPinned == true)
      #expect(service.kept.withLock { $0[2]?.title } == "b")
      #expect(!service.bodies.withLock { $0 }.contains { $0.contains("isPinned") })
      let entries = try await evocation.outbox.entries(of: Article.self)
      #expect(entries.isEmpty)
    }
  }

  /// What this device shows of a memo.
  private struct Look: Codable, Equatable, Sendable {
    var color: String
    var size: Int?
  }

  private struct Page: Codable, Identifiable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey { case id, title, look = "appearance" }

    var id: Int
    var title: String
    var look: Look?
  }

  @Test func `an object may be of the device alone, whatever its key is called`() async throws {
    let remote = InMemoryRepository([Page(id: 1, title: "new")])
    let look = Look(color: "red")
    let local = InMemoryRepository([Page(id: 1, title: "old", look: look)])
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    try evocation.register(Page.self, remote: remote, local: local, strategy: .remoteFirst)
      .localKeys(\.look)
    #expect(try await evocation.find(Page.self) == [Page(id: 1, title: "new", look: look)])
  }

  private enum Sole: String, Codable { case one }

  private struct Sheet: Codable, Identifiable, Equatable, Sendable {
    var id = 1
    var title: String
    var look: Look?
    var sole = Sole.one
    var shownTitle: String { title.uppercased() }
  }

  @Test(arguments: [\Sheet.shownTitle, \Sheet.look?.color])
  private func `what cannot be of the device alone is said, and nothing is overwritten`(
    property: PartialKeyPath<Sheet>
  ) async throws {
    let old = Sheet(title: "old", look: Look(color: "red"))
    let local = InMemoryRepository([old])
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    let proxy = try evocation.register(
      Sheet.self, remote: InMemoryRepository([Sheet(title: "new")]), local: local,
      strategy: .remoteFirst
    ).localKeys(property)
    for _ in 0..<2 {
      await #expect(throws: EvocationError.self) {
        _ = try await evocation.find(Sheet.self, rule: .remoteOnly)
      }
      #expect(try await evocation.find(Sheet.self) == [old])
      #expect(await evocation.updateOne(old).error is EvocationError)
      #expect(try await local.find(Criteria()).value == [old])
      #expect(throws: EvocationError.self) { try proxy.validate() }
      // A repository that is set later is no better.
      proxy.repository(remote: InMemoryRepository([Sheet(title: "new")]))
    }
  }

  @Test func `what waits while a declaration is wrong is sent once it is right`() async throws {
    let local = try SQLiteRepository<Sheet>(SQLiteDatabase.inMemory())
    let remote = InMemoryRepository([Sheet(title: "old")])
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    func register(_ property: PartialKeyPath<Sheet>) throws {
      evocation.unregister(Sheet.self)
      try evocation.register(Sheet.self, remote: remote, local: local, strategy: .offlineFirst)
        .localKeys(property)
    }
    try register(\.look)
    _ = await evocation.prefetch(Sheet.self)
    evocation.outbox.pause()
    let new = Sheet(title: "new", look: Look(color: "red"))
    #expect(await evocation.updateOne(new).error == nil)
    try register(\.shownTitle)
    evocation.outbox.resume()
    _ = await evocation.outbox.flush()
    let parked = try #require(try await evocation.outbox.parked(Sheet.self).first)
    #expect(parked.failure?.reason.contains("has no key") == true)
    #expect(try await remote.find(Criteria()).value.map(\.title) == ["old"])
    try register(\.look)
    try await evocation.outbox.retry(parked)
    _ = await evocation.outbox.flush()
    #expect(try await remote.find(Criteria()).value.map(\.title) == ["new"])
    #expect(try await evocation.outbox.entries(of: Sheet.self).isEmpty)
    #expect(try await local.find(Criteria()).value.first?.look == Look(color: "red"))
  }

  @Test func `a property with one possible value is of the device alone, or is said to be none`()
    async throws
  {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    let proxy = try evocation.register(
      Sheet.self, remote: InMemoryRepository<Sheet>(), local: InMemoryRepository<Sheet>(),
      strategy: .remoteFirst
    ).localKeys(\.sole)
    let isKnown = proxy.localKeys == ["sole"]
    let isSaid = (try? proxy.validate()) == nil
    #expect(isKnown != isSaid)
  }
}
