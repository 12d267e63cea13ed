import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

/// What one refused write, or one service that refuses all, means for everything else.
@Suite(.patient) struct OutboxRefusalTests {
  private struct Order: Codable, Identifiable, Sendable, Hashable {
    var id: Int
  }

  private let local = InMemoryRepository<Memo>()

  private func evocation(_ service: ScriptedService<Memo>) -> Evocation {
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return evocation
  }

  @Test func `a service that wants the user to sign in holds up no other service`() async throws {
    let memos = ScriptedService<Memo>(service: "memos") { request, _ in
      if request.number == 1 { throw Refused(.authorization) }
      return nil
    }
    let orders = ScriptedService<Order>(service: "orders")
    let evocation = evocation(memos)
    evocation.register(for: Order.self).repository(remote: orders)
      .repository(local: InMemoryRepository<Order>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(Memo(id: 1))
    #expect(await evocation.outbox.flush().sent == 0)
    for id in 1...5 { _ = await evocation.storeOne(Order(id: id)) }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 5, left: 1, parked: 0))
    #expect(memos.requests.count == 1)
    #expect(orders.requests.count == 5)
    evocation.outbox.resume()
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
  }

  /// A service that refuses the first request as old, and keeps what it answered to each key.
  private func service(_ models: [Memo], _ gate: Gate) -> ScriptedService<Memo> {
    ScriptedService(models, habits: [.comparesBases, .repeatsAnswers]) { request, _ in
      if request.number == 1 { try await gate.pass() }
      return nil
    }
  }

  /// Has others write while the first request is on its way, and sends the app's write over theirs.
  private func insist(
    _ evocation: Evocation, _ service: ScriptedService<Memo>, _ gate: Gate, over theirs: Memo
  ) async throws {
    try evocation.proxy(for: Memo.self).conflicts { _ in .mine }
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(1))
    _ = try await service.models.storeOrUpdate([theirs])
    gate.open()
    #expect(await flush.value == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    let keys = service.requests.map(\.key)
    #expect(keys.count == 2)
    #expect(Set(keys).count == keys.count, "\(service.requests)")
  }

  @Test func `an edit that is sent over what others wrote is another request to the service`()
    async throws
  {
    let gate = Gate()
    let service = service([Memo()], gate)
    let evocation = evocation(service)
    _ = try await local.store([Memo()])
    _ = await evocation.updateOne(Memo(title: "mine"))
    try await insist(evocation, service, gate, over: Memo(title: "theirs"))
    #expect(try await service.all == [Memo(title: "mine")])
    #expect(try await local.find(Criteria()).value == [Memo(title: "mine")])
  }

  @Test func `a new model that is sent over that of others is another request to the service`()
    async throws
  {
    let gate = Gate()
    let service = service([], gate)
    let evocation = evocation(service)
    _ = await evocation.storeOne(Memo(title: "mine"))
    try await insist(evocation, service, gate, over: Memo(title: "theirs"))
    #expect(try await service.all == [Memo(title: "mine")])
  }

  @Test func `a removal that is sent over what others wrote is another request to the service`()
    async throws
  {
    let gate = Gate()
    let service = service([Memo()], gate)
    let evocation = evocation(service)
    _ = try await local.store([Memo()])
    _ = await evocation.removeOne(Memo())
    try await insist(evocation, service, gate, over: Memo(title: "theirs"))
    #expect(try await service.all.isEmpty)
    #expect(try await local.find(Criteria()).value.isEmpty)
  }
}

extension OutboxRefusalTests {
  @Test func `an edit of a write that waits behind a removal does not bring its row back`()
    async throws
  {
    let service = ScriptedService([Memo()]) { request, _ in
      if request.number == 1 { throw Refused(.transient) }
      return nil
    }
    let evocation = evocation(service)
    _ = try await local.store([Memo()])
    _ = await evocation.updateOne(Memo(title: "mine"))
    #expect(await evocation.outbox.flush().left == 1)
    _ = await evocation.removeOne(Memo(title: "mine"))
    let entries = try await evocation.outbox.entries(of: Memo.self)
    #expect(entries.map(\.kind) == [.update, .remove])
    try await evocation.outbox.resend(entries[0], as: Memo(title: "edited"))
    #expect(try await local.find(Criteria()).value.isEmpty)
  }

  @Test(arguments: [false, true])
  func `what a service refused is sent under another key where the app resends it`(
    isRemoval: Bool
  ) async throws {
    let refuses = Lock(true)
    let service = ScriptedService([Memo()], habits: .repeatsAnswers) { _, _ in
      if refuses.withLock({ $0 }) { throw Refused(.permanent) }
      return nil
    }
    let evocation = evocation(service)
    _ = try await local.store([Memo()])
    if isRemoval {
      _ = await evocation.removeOne(Memo())
    } else {
      _ = await evocation.updateOne(Memo(title: "mine"))
    }
    #expect(await evocation.outbox.flush().parked == 1)
    refuses.withLock { $0 = false }

    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    try await evocation.outbox.retry(entry)
    #expect(await evocation.outbox.flush().parked == 1)
    try await evocation.outbox.resend(entry, as: entry.model)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    let models = try await service.models.find(Criteria()).value
    #expect(models == (isRemoval ? [] : [Memo(title: "mine")]))
  }

  /// Services that keep idempotency keys answer so, such as by 409.
  @Test(arguments: [Outbox.EntryKind.store, .update, .remove])
  func `an attempt that the service is still busy with is no conflict, and is not doubled`(
    kind: Outbox.EntryKind
  ) async throws {
    let before = kind == .store ? [] : [Memo()]
    let service = ScriptedService(before) { request, _ in
      if request.number == 1 { throw Refused(.transient) }
      if request.number == 2 { throw Refused(.conflict) }
      return nil
    }
    let evocation = evocation(service)
    let asked = Lock(0)
    try evocation.proxy(for: Memo.self).conflicts { _ in
      asked.withLock { $0 += 1 }
      return .mine
    }
    _ = try await local.store(before)
    switch kind {
    case .store: _ = await evocation.storeOne(Memo(title: "mine"))
    case .remove: _ = await evocation.removeOne(Memo())
    case .update, .storeOrUpdate: _ = await evocation.updateOne(Memo(title: "mine"))
    }
    for _ in 1...3 { _ = await evocation.outbox.flush() }
    #expect(try await evocation.outbox.status() == Outbox.Status())
    #expect(asked.withLock { $0 } == 0)
    #expect(Set(service.requests.map(\.key)).count == 1)
    #expect(service.requests.count == 3)
    #expect(try await service.all == (kind == .remove ? [] : [Memo(title: "mine")]))
  }
}
