import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import EvocationValues

/// What an app reads by an id of its own, before and after the server gave the model another.
@Suite(.patient) struct OutboxReadByOldIDTests {
  private let draft = Memo(id: -1, title: "mine")
  private let local = InMemoryRepository<Memo>()
  private let service = AskedService<Memo>(
    ScriptedService { request, models in
      guard request.kind == .store || request.model.id < 0 else { return nil }
      var memo = request.model
      memo.id = 99 + request.number
      return try await models.storeOne(memo).value
    })
  private let evocation = Evocation.flushedByHand()

  init() {
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
  }

  /// The rules of a read: which repository is asked, and what is saved.
  static let rules: [Strategy.Rule] = [
    .localOnly, .remoteOnly, .init(target: .remote, synchronize: .mirror), .localFirst,
    .init(target: .remote, fallback: .local, synchronize: .upsert),
    .init(target: .local, fallback: .remote, synchronize: .upsert, fallsBack: .onErrorOrEmpty),
  ]

  /// Each form of a read by id, with what it finds of the model.
  private func reads(by id: Int, _ rule: Strategy.Rule) async throws -> [String: [String]] {
    let titles = { (memos: [Memo]) in memos.map(\.title) }
    let one: Criteria = ["id": id]
    return [
      "findOne": titles(
        [try await evocation.findOne(Memo.self, id: id, rule: rule)].compactMap(\.self)),
      "find": titles(try await evocation.find(Memo.self, where: .init(id: id), rule: rule)),
      "in": titles(
        try await evocation.find(Memo.self, where: Criteria.Key("id").in([id, 7]), rule: rule)),
      "or": titles(
        try await evocation.find(Memo.self, where: \.id == id || \.title == "no", rule: rule)),
      "and": titles(
        try await evocation.find(Memo.self, where: \.id == id && \.title != "theirs", rule: rule)),
      "count": Array(
        repeating: "mine", count: try await evocation.count(Memo.self, where: one, rule: rule)),
      "exists": try await evocation.exists(Memo.self, where: one, rule: rule) ? ["mine"] : [],
    ]
  }

  private let all = Dictionary(
    uniqueKeysWithValues: ["findOne", "find", "in", "or", "and", "count", "exists"].map {
      ($0, ["mine"])
    }
  )

  @Test(arguments: rules)
  func `a model is found by the id that the app gave it, after the server gave it another`(
    rule: Strategy.Rule
  ) async throws {
    _ = await evocation.storeOne(draft)
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(try await reads(by: -1, rule) == all)
    #expect(try await reads(by: 100, rule) == all)
    #expect(try await local.find(Criteria()).value.map(\.id) == [100])
    // Nothing has asked for the old id.
    #expect(service.asked.allSatisfy { !$0.contains("-1") }, "\(service.asked)")
  }

  @Test(arguments: rules)
  func `no server is asked for an id that it does not have yet`(rule: Strategy.Rule) async throws {
    _ = await evocation.storeOne(draft)
    #expect(try await reads(by: -1, rule) == all)
    let asked = service.asked.filter { $0.contains("-1") }
    #expect(asked.isEmpty, "\(asked)")
    #expect(try await local.find(Criteria()).value == [draft])
    let result = await evocation.findOne(model: Memo.self, criteria: ["id": -1], rule: .remoteOnly)
    #expect(result.data == draft)
    let text = "\(result.trace)"
    #expect(
      text.contains("does not have what \"id\" names yet, because that was not sent"), "\(text)")
  }

  @Test func `an observer of a model by its id stays on it`() async throws {
    _ = await evocation.storeOne(draft)
    var states = evocation.observe(Memo.self, id: -1).makeAsyncIterator()
    #expect(await states.next()?.data == draft)
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(await states.next()?.data == Memo(id: 100, title: "mine"))
    _ = await evocation.updateOne(Memo(id: 100, title: "later"))
    #expect(await states.next()?.data == Memo(id: 100, title: "later"))
    _ = await evocation.updateOne(Memo(id: -1, title: "last"))
    #expect(await states.next()?.data == Memo(id: 100, title: "last"))
    var late = evocation.observe(Memo.self, id: -1).makeAsyncIterator()
    #expect(await late.next()?.data == Memo(id: 100, title: "last"))
    _ = await evocation.removeOne(Memo(id: 100))
    let gone = await states.next()
    #expect(gone != nil && gone?.data == nil && gone?.error == nil)
  }

  @Test func `a cache of a model by its id stays on it, and refreshes it`() async throws {
    _ = await evocation.storeOne(draft)
    let cache = evocation.cache(Memo.self)
    cache.requirements = ["id": -1]
    var states = cache.observe().makeAsyncIterator()
    while let state = await states.next(), state.cache != [draft] {}
    #expect(await evocation.outbox.flush().sent == 1)
    while let state = await states.next(), state.cache != [Memo(id: 100, title: "mine")] {}
    _ = try await service.base.models.updateOne(Memo(id: 100, title: "theirs"))
    _ = try await cache.refresh(force: true)
    while let state = await states.next(), state.cache != [Memo(id: 100, title: "theirs")] {}
    #expect(service.asked.allSatisfy { !$0.contains("-1") }, "\(service.asked)")
  }

  @Test func `an id that is used again names the model that uses it`() async throws {
    _ = await evocation.storeOne(draft)
    #expect(await evocation.outbox.flush().sent == 1)
    let second = Memo(id: -1, title: "second")
    _ = await evocation.storeOne(second)
    for rule in Self.rules {
      #expect(try await evocation.findOne(Memo.self, id: -1, rule: rule) == second, "\(rule)")
    }
  }

  @Test func `an id of zero stands for no model once the first has another`() async throws {
    _ = await evocation.storeOne(Memo(id: 0, title: "first"))
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(try await evocation.findOne(Memo.self, id: 0, rule: .localOnly) == nil)
    _ = await evocation.storeOrUpdate([Memo(id: 0, title: "second")])
    _ = await evocation.outbox.flush()
    let titles = try await service.base.all.map(\.title)
    #expect(titles.contains("first") && titles.contains("second"))
    _ = await evocation.removeOne(Memo(id: 0, title: "never saved"))
    _ = await evocation.outbox.flush()
    #expect(try await service.base.all.map(\.title).contains("first"))
  }

  @Test func `temporary ids are negative, and no two are the same`() {
    let ids = (0..<10_000).map { _ in Int.temporary() }
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0 < 0 && Int(exactly: Double($0)) == $0 })
    #expect(Set((0..<100).map { _ in String.temporary() }).count == 100)
  }
}

/// Models that refer to others by the ids that the app gave those.
@Suite(.patient) struct OutboxReferenceByOldIDTests {
  private let boats = AskedService<Boat>(ScriptedService<Boat>())
  private let localBoats = InMemoryRepository<Boat>()
  private let evocation = Evocation.flushedByHand()

  init() {
    let skippers = ScriptedService<Skipper> { request, models in
      guard request.kind == .store else { return nil }
      return try await models.storeOne(Skipper(id: 100, name: request.model.name)).value
    }
    evocation.register(for: Skipper.self).repository(remote: skippers)
      .repository(local: InMemoryRepository<Skipper>()).strategy(.offlineFirst)
    evocation.register(for: Boat.self).repository(remote: boats).repository(local: localBoats)
      .strategy(.offlineFirst).sends(after: Skipper.self, by: \.skipperID)
  }

  @Test func `what refers to a model is found and observed by the id that the app gave that`()
    async throws
  {
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    _ = await evocation.storeOne(Boat(id: 5, skipperID: -1))
    var states = evocation.observe(Boat.self, where: \.skipperID == -1).makeAsyncIterator()
    #expect(await states.next()?.data == [Boat(id: 5, skipperID: -1)])
    for rule in OutboxReadByOldIDTests.rules {
      let found = try await evocation.find(Boat.self, where: \.skipperID == -1, rule: rule)
      #expect(found == [Boat(id: 5, skipperID: -1)], "\(rule)")
    }
    #expect(boats.asked.isEmpty, "\(boats.asked)")
    #expect(await evocation.outbox.flush().sent == 2)
    let boat = Boat(id: 5, skipperID: 100)
    #expect(await states.next()?.data == [boat])
    for rule in OutboxReadByOldIDTests.rules {
      let found = try await evocation.find(Boat.self, where: \.skipperID == -1, rule: rule)
      #expect(found == [boat], "\(rule)")
    }
    _ = await evocation.storeOne(Boat(id: 6, skipperID: -1))
    #expect(await states.next()?.data == [boat, Boat(id: 6, skipperID: 100)])
  }
}

/// A service that notes what it was asked for.
private final class AskedService<Model: Codable & Identifiable & Sendable>: Repository,
  SharedService
where Model.ID: Sendable {
  let base: ScriptedService<Model>
  private let criteria = Lock<[String]>([])

  init(_ base: ScriptedService<Model>) { self.base = base }

  var service: String { base.service }
  var asked: [String] { criteria.withLock { $0 } }

  private func note(_ asked: Criteria) { criteria.withLock { $0.append(asked.tag) } }

  func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    note(criteria)
    return try await base.find(criteria)
  }

  func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    note(criteria)
    return try await base.findOne(criteria)
  }

  func store(_ models: [Model]) async throws -> Response<[Model]> { try await base.store(models) }
  func update(_ models: [Model]) async throws -> Response<[Model]> { try await base.update(models) }
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await base.storeOrUpdate(models)
  }
  func remove(_ models: [Model]) async throws -> Response<[Model]> { try await base.remove(models) }
}
