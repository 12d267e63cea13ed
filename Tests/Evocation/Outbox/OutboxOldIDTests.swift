import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

/// What an app writes to an id of its own, after the service gave the model another.
@Suite(.patient) struct OutboxOldIDTests {
  private let draft = Memo(id: -1)
  private let local = InMemoryRepository<Memo>()
  private let service = ScriptedService<Memo> { request, models in
    guard request.kind == .store || request.model.id < 0 else { return nil }
    var memo = request.model
    memo.id = 99 + request.number
    return try await models.storeOne(memo).value
  }
  private let evocation = Evocation.flushedByHand()

  init() {
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
  }

  /// Stores the draft, which the service then has as 100.
  private func storeDraft() async throws {
    _ = await evocation.storeOne(draft)
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(try await local.find(Criteria()).value.map(\.id) == [100])
  }

  @Test func `a removal by the id that the app gave removes the model`() async throws {
    try await storeDraft()
    #expect(await evocation.removeOne(draft).isPending)
    #expect(try await local.find(Criteria()).value.isEmpty)
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.all.isEmpty)
    #expect(service.requests.map(\.description) == ["store -1", "remove 100"])
  }

  @Test func `an update by the id that the app gave changes the model`() async throws {
    try await storeDraft()
    let result = await evocation.updateOne(Memo(id: -1, title: "later"))
    #expect(result.isPending && result.error == nil)
    #expect(try await local.find(Criteria()).value == [Memo(id: 100, title: "later")])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.all == [Memo(id: 100, title: "later")])
  }

  @Test func `storeOrUpdate by the id that the app gave makes no second model`() async throws {
    try await storeDraft()
    #expect(await evocation.storeOrUpdate([Memo(id: -1, title: "later")]).isPending)
    #expect(try await local.find(Criteria()).value == [Memo(id: 100, title: "later")])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.all == [Memo(id: 100, title: "later")])
  }

  @Test func `several edits by the id that the app gave are of one model, and end with the last`()
    async throws
  {
    try await storeDraft()
    for title in ["a", "b", "c"] {
      _ = await evocation.updateOne(Memo(id: -1, title: title))
      #expect(await evocation.outbox.flush().left == 0)
    }
    _ = await evocation.updateOne(Memo(id: 100, title: "d"))
    _ = await evocation.updateOne(Memo(id: -1, title: "e"))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.all == [Memo(id: 100, title: "e")])
    #expect(try await local.find(Criteria()).value == [Memo(id: 100, title: "e")])
  }

  @Test func `a second draft under an id that was renamed is a model of its own`() async throws {
    try await storeDraft()
    _ = await evocation.storeOne(Memo(id: -1, title: "second"))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(
      try await service.all == [Memo(id: 100), Memo(id: 101, title: "second")])
    #expect(
      try await local.find(Criteria().sorted(by: "id")).value == [
        Memo(id: 100), Memo(id: 101, title: "second"),
      ])
  }

  @Test func `a model that is kept under one of its ids outlives its removal under the other`()
    async throws
  {
    let gate = Gate()
    let service = ScriptedService<Memo> { request, models in
      guard request.kind == .store else { return nil }
      let stored = try await models.storeOne(Memo(id: 100)).value
      try await gate.pass()
      return stored
    }
    try evocation.proxy(for: Memo.self).repository(remote: service)
    _ = await evocation.storeOne(draft)
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(1))
    _ = await evocation.updateOne(Memo(id: -1, title: "kept"))
    // A read brings it under the id that the service gave it, before the answer says so.
    let cache = evocation.cache(Memo.self)
    cache.requirements = Criteria()
    _ = try await cache.refresh(force: true)
    let removal = try #require(await evocation.removeOne(Memo(id: 100)).delivery)
    var events = evocation.outbox.events().makeAsyncIterator()
    gate.open()
    #expect(await flush.value == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    // With its removal, the service might remove what it has on it.
    #expect(service.requests.map(\.description) == ["store -1", "update 100"])
    #expect(await removal.value() == .discarded)
    let told = await Outbox.next(&events) { if case .discarded = $0 { true } else { false } }
    let subject = Outbox.Subject(
      model: "Memo", modelID: "100", entry: removal.id,
      reason: "Your app kept the model under its other id.")
    #expect(told == .discarded(subject))
    #expect(try await service.all == [Memo(id: 100, title: "kept")])
    #expect(try await local.find(Criteria()).value == [Memo(id: 100, title: "kept")])
  }
}

/// A service that gives the id of a removed model to the next one, as SQLite does.
extension OutboxOldIDTests {
  private func evocation(losing answers: Int) -> (Evocation, ScriptedService<Memo>) {
    let lost = Lock(answers)
    let service = ScriptedService([Memo(id: 3, title: "former")]) { request, models in
      if request.kind == .store {
        return try await models.storeOne(Memo(id: 3, title: "new")).value
      }
      guard request.kind == .remove else { return nil }
      _ = try await models.removeOne(request.model)
      if lost.withLock({
        $0 -= 1; return $0 >= 0
      }) {
        throw Refused(.transient)
      }
      return request.model
    }
    let evocation = Evocation.flushedByHand(clock: ManualClock())
    evocation.register(for: Memo.self).conflicts { _ in .mine }
      .repository(remote: service)
      .repository(local: InMemoryRepository([Memo(id: 3, title: "former")]))
      .strategy(.offlineFirst)
    return (evocation, service)
  }

  @Test func `a removal whose answer is lost takes no model that the service then gives its id`()
    async throws
  {
    let (evocation, service) = evocation(losing: 1)
    var events = evocation.outbox.events().makeAsyncIterator()
    _ = await evocation.updateOne(Memo(id: 3, title: "edited"))
    let removal = try #require(await evocation.removeOne(Memo(id: 3)).delivery)
    #expect(await evocation.outbox.flush().left == 1)
    let store = try #require(await evocation.storeOne(Memo(id: -1, title: "new")).delivery)
    _ = await evocation.outbox.flush()
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.all == [Memo(id: 3, title: "new")])
    #expect(try await evocation.find(Memo.self) == [Memo(id: 3, title: "new")])
    #expect(await removal.value() == .delivered)
    #expect(await store.value() == .delivered)
    let told = await Outbox.next(&events) {
      if case .sent(let subject) = $0 { subject.entry == removal.id } else { false }
    }
    #expect(told != nil)
  }

  @Test func `a removal of a unit is parked rather than sent for a model that has its id`()
    async throws
  {
    let (evocation, service) = evocation(losing: 1)
    _ = try await evocation.together { try await $0.removeOne(Memo(id: 3)) }
    #expect(await evocation.outbox.flush().left == 1)
    _ = await evocation.storeOne(Memo(id: -1, title: "new"))
    _ = await evocation.outbox.flush()
    #expect(await evocation.outbox.flush().parked == 1)
    #expect(try await service.all == [Memo(id: 3, title: "new")])
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    let failure = try #require(entry.lastFailure)
    #expect(failure.kind == .permanent)
    #expect(failure.reason.contains("given the id of the model that it removes to a new model"))
  }
}

/// A model whose id is coded under another name.
private struct Leaf: Codable, Identifiable, Sendable, Hashable {
  enum CodingKeys: String, CodingKey {
    case id = "leaf_id"
    case text
  }

  var id: Int
  var text: String
}

extension OutboxOldIDTests {
  @Test func `an id that is coded under another name changes in what was written meanwhile`()
    async throws
  {
    let gate = Gate()
    let local = InMemoryRepository<Leaf>()
    let service = ScriptedService<Leaf>(identifierKey: "leaf_id") { request, models in
      guard request.kind == .store else { return nil }
      try await gate.pass()
      return try await models.storeOne(Leaf(id: 100, text: request.model.text)).value
    }
    evocation.register(for: Leaf.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    _ = await evocation.storeOne(Leaf(id: -1, text: "a"))
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(1))
    _ = await evocation.updateOne(Leaf(id: -1, text: "b"))
    gate.open()
    #expect(await flush.value == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(try await service.all == [Leaf(id: 100, text: "b")])
    #expect(try await local.find(Criteria()).value == [Leaf(id: 100, text: "b")])
    #expect(service.requests.map(\.description) == ["store -1", "update 100"])
  }
}
