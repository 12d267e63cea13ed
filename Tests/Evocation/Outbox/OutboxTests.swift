import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// A service in memory that notes what it was sent, with which key, and can be made to fail.
final class NotingService: Repository {
  struct Note: Hashable, Sendable, CustomStringConvertible {
    let kind: String
    let id: Int
    let title: String
    var description: String { "\(kind) \(id) \(title)" }
  }

  let models: InMemoryRepository<Draft>
  /// What requests wait for, where a test holds them.
  let gate = Lock<Gate?>(nil)
  private let state = Lock((notes: [Note](), keys: [String](), failures: [any Error]()))

  init(_ models: [Draft] = []) {
    self.models = InMemoryRepository(models)
  }

  var notes: [String] { state.withLock { $0.notes.map(\.description) } }
  var keys: [String] { state.withLock { $0.keys } }

  func fail(_ errors: any Error...) { state.withLock { $0.failures += errors } }

  private func note(_ kind: String, _ model: Draft) async throws {
    try await gate.withLock { $0 }?.pass()
    try state.withLock { state in
      state.notes.append(Note(kind: kind, id: model.id, title: model.title))
      state.keys.append(IdempotencyKey.current ?? "none")
      if !state.failures.isEmpty { throw state.failures.removeFirst() }
    }
  }

  func find(_ criteria: Criteria) async throws -> Response<[Draft]> {
    try await models.find(criteria)
  }
  func store(_ drafts: [Draft]) async throws -> Response<[Draft]> {
    for draft in drafts { try await note("store", draft) }
    return try await models.store(drafts)
  }
  func update(_ drafts: [Draft]) async throws -> Response<[Draft]> {
    for draft in drafts { try await note("update", draft) }
    return try await models.update(drafts)
  }
  func storeOrUpdate(_ drafts: [Draft]) async throws -> Response<[Draft]> {
    for draft in drafts { try await note("storeOrUpdate", draft) }
    return try await models.storeOrUpdate(drafts)
  }
  func remove(_ drafts: [Draft]) async throws -> Response<[Draft]> {
    for draft in drafts { try await note("remove", draft) }
    return try await models.remove(drafts)
  }
}

struct Draft: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var title: String
}

struct SendFailure: ClassifiedError {
  var failureKind: FailureKind
  var retryAfter: Duration?
  init(_ kind: FailureKind, retryAfter: Duration? = nil) {
    failureKind = kind
    self.retryAfter = retryAfter
  }
}

@Suite(.timeLimit(.minutes(30)))
struct OutboxTests {
  let service = NotingService()
  let local = InMemoryRepository<Draft>()
  let clock = ManualClock()

  func evocation(
    sends: Bool = true, _ strategy: Strategy = .offlineFirst,
    connectivity: (any Connectivity)? = nil
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 },
        outbox: .init(sendsAutomatically: sends, connectivity: connectivity)))
    evocation.register(for: Draft.self)
      .repository(remote: service).repository(local: local).strategy(strategy)
    return evocation
  }

  @Test func `a write by the outbox is answered by local, is pending, and reaches the remote`()
    async throws
  {
    let evocation = evocation()
    let result = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(result.origin == .local)
    #expect(result.isPending)
    #expect(result.error == nil)
    let flushed = await evocation.outbox.flush()
    #expect(flushed.left == 0)
    #expect(service.notes == ["store 1 a"])
    #expect(try await evocation.outbox.status().pending == 0)
  }

  @Test func `nothing is sent before a flush where sending by itself is off`() async throws {
    let evocation = evocation(sends: false)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(try await evocation.outbox.status().pending == 1)
    #expect(service.notes == [])
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(service.notes == ["store 1 a"])
  }

  @Test func `writes that never left are merged`() async throws {
    let evocation = evocation(sends: false)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    _ = await evocation.updateOne(Draft(id: 1, title: "b"))
    _ = await evocation.storeOne(Draft(id: 2, title: "c"))
    let removed = await evocation.removeOne(Draft(id: 2, title: "c"))
    #expect(!removed.isPending)
    _ = await evocation.outbox.flush()
    #expect(service.notes == ["store 1 b"])
  }

  @Test func `an edit of an unsent edit keeps what the first one was made on`() async throws {
    let evocation = evocation(sends: false)
    _ = try await local.store([Draft(id: 1, title: "a")])
    for title in ["b", "c"] { _ = await evocation.updateOne(Draft(id: 1, title: title)) }
    let entries = try await evocation.outbox.entries(of: Draft.self)
    #expect(entries.map(\.model.title) == ["c"])
    #expect(entries.map(\.base?.title) == ["a"])
  }

  @Test func `a find from the remote shows what is unsent`() async throws {
    _ = try await service.models.store([Draft(id: 1, title: "a"), Draft(id: 2, title: "b")])
    let rules = try Strategy(rules: [
      .find: .remoteFirst, .findOne: .remoteFirst,
      .store: .init(target: .local, synchronize: .outbox),
      .storeOne: .init(target: .local, synchronize: .outbox),
      .update: .init(target: .local, synchronize: .outbox),
      .updateOne: .init(target: .local, synchronize: .outbox),
      .remove: .init(target: .local, synchronize: .outbox),
      .removeOne: .init(target: .local, synchronize: .outbox),
    ])
    let evocation = evocation(sends: false, rules)
    _ = await evocation.find(model: Draft.self)
    _ = await evocation.updateOne(Draft(id: 1, title: "mine"))
    _ = await evocation.removeOne(Draft(id: 2, title: "b"))
    _ = await evocation.storeOne(Draft(id: 3, title: "new"))
    let found = await evocation.find(model: Draft.self)
    #expect(found.origin == .remote)
    #expect(found.data == [Draft(id: 1, title: "mine"), Draft(id: 3, title: "new")])
    #expect(try await local.find(Criteria()).value == found.data)
    #expect(await evocation.count(model: Draft.self).data == 2)
    #expect(await evocation.exists(model: Draft.self, criteria: ["title": "b"]).data == false)
    #expect(await evocation.exists(model: Draft.self, criteria: ["title": "new"]).data == true)
  }

  @Test func `a failure that may pass is tried again with the same key`() async throws {
    let evocation = evocation(sends: false)
    service.fail(SendFailure(.transient))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    _ = await evocation.outbox.flush()
    #expect(try await evocation.outbox.status().pending == 1)
    let result = await evocation.outbox.flush()
    #expect(result.left == 0)
    #expect(service.notes == ["store 1 a", "store 1 a"])
    #expect(Set(service.keys).count == 1)
  }

  @Test func `a refused write is parked, and only what follows on its instance waits`() async throws
  {
    let evocation = evocation(sends: false)
    service.fail(SendFailure(.permanent))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    _ = await evocation.outbox.flush()
    _ = await evocation.updateOne(Draft(id: 1, title: "b"))
    _ = await evocation.storeOne(Draft(id: 2, title: "c"))
    let result = await evocation.outbox.flush()
    #expect(result == Outbox.FlushResult(sent: 1, left: 1, parked: 1))
    #expect(service.notes == ["store 1 a", "store 2 c"])
    let entries = try await evocation.outbox.entries(of: Draft.self)
    #expect(entries.count == 2)
    try await evocation.outbox.discard(entries[0])
    #expect(try await local.find(Criteria()).value == [Draft(id: 2, title: "c")])
  }

  @Test func `an edit made while its predecessor is being sent is sent after it, and stays`()
    async throws
  {
    let evocation = evocation()
    let gate = Gate()
    service.gate.withLock { $0 = gate }
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(await gate.arrivals(1))
    _ = await evocation.updateOne(Draft(id: 1, title: "b"))
    gate.open()
    _ = await evocation.outbox.flush()
    #expect(service.notes == ["store 1 a", "update 1 b"])
    #expect(try await local.find(Criteria()).value == [Draft(id: 1, title: "b")])
    #expect(try await service.models.find(Criteria()).value == [Draft(id: 1, title: "b")])
  }

  @Test func `a conflict is given to the app, and its merged model is sent`() async throws {
    let evocation = evocation(sends: false)
    try evocation.proxy(for: Draft.self).conflicts { conflict in
      .merged(
        Draft(id: conflict.mine.id, title: conflict.mine.title + (conflict.theirs?.title ?? "")))
    }
    _ = try await service.models.store([Draft(id: 1, title: "x")])
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    let result = await evocation.outbox.flush()
    #expect(result.left == 0)
    #expect(service.notes == ["store 1 a", "storeOrUpdate 1 ax"])
    #expect(try await local.find(Criteria()).value == [Draft(id: 1, title: "ax")])
  }

  @Test func `a refused authorization pauses until the app resumes`() async throws {
    let evocation = evocation()
    service.fail(SendFailure(.authorization))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    _ = await evocation.outbox.flush()
    guard case .authorization? = try await evocation.outbox.status().pause else {
      Issue.record("It is not paused.")
      return
    }
    evocation.outbox.resume()
    var statuses = evocation.outbox.observe().makeAsyncIterator()
    while let status = await statuses.next(), status.pending > 0 {}
    #expect(service.notes == ["store 1 a", "store 1 a"])
  }
}

extension OutboxTests {
  @Test func `an edit of a write whose answer was lost is sent after it, and not in its place`()
    async throws
  {
    let service = IdempotentService<Draft>()
    let evocation = evocation(sends: false)
    try evocation.proxy(for: Draft.self).repository(
      remote: FaultyRepository(service, FaultSchedule(.losesAnswer, on: .number(1))))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    _ = await evocation.outbox.flush()
    let entry = try #require(try await evocation.outbox.entries(of: Draft.self).first)
    try await evocation.outbox.resend(entry, as: Draft(id: 1, title: "b"))
    #expect(try await evocation.outbox.entries(of: Draft.self).map(\.kind) == [.store, .update])
    while await evocation.outbox.flush().left > 0, !Task.isCancelled {}
    #expect(try await service.find(Criteria()).value == [Draft(id: 1, title: "b")])
    #expect(try await local.find(Criteria()).value == [Draft(id: 1, title: "b")])
  }
}
