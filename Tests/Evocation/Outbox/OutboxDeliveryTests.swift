import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationValues

/// What becomes of one write, which whoever made it can wait for.
@Suite(.timeLimit(.minutes(30))) struct OutboxDeliveryTests {
  private typealias Service = ScriptedService<Memo>

  private let local = InMemoryRepository<Memo>()

  private func evocation(_ service: Service) -> Evocation {
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return evocation
  }

  @Test func `a write is delivered once the service has it, and whoever waits is told`()
    async throws
  {
    let evocation = evocation(Service())
    let result = await evocation.storeOne(Memo())
    let delivery = try #require(result.delivery)
    let (first, second) = (Task { await delivery.value() }, Task { await delivery.value() })
    _ = await evocation.outbox.flush()
    #expect(await first.value == .delivered)
    #expect(await second.value == .delivered)
    #expect(await delivery.value() == .delivered)
    #expect(try await evocation.outbox.delivery(id: delivery.id) == nil)
  }

  @Test func `a write that is refused is parked with the reason, and delivered once it is mended`()
    async throws
  {
    let service = Service { request, _ in
      if request.model.title == "bad" { throw Refused(.permanent) }
      return nil
    }
    let evocation = evocation(service)
    let delivery = try #require(await evocation.storeOne(Memo(title: "bad")).delivery)
    _ = await evocation.outbox.flush()
    guard case .parked(let failure) = await delivery.value(), failure.kind == .permanent else {
      Issue.record("It is not parked.")
      return
    }
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    try await evocation.outbox.resend(entry, as: Memo(title: "good"))
    let waiting = Task { await delivery.value() }
    _ = await evocation.outbox.flush()
    #expect(await waiting.value == .delivered)
  }

  @Test(arguments: [true, false])
  func `a write that is discarded is told so, also where it was sent anew before`(
    isEdited: Bool
  ) async throws {
    let evocation = evocation(Service { _, _ in throw Refused(.permanent) })
    let delivery = try #require(await evocation.storeOne(Memo()).delivery)
    _ = await evocation.outbox.flush()
    if isEdited {
      let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
      try await evocation.outbox.resend(entry, as: Memo(title: "again"))
      _ = await evocation.outbox.flush()
    }
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    #expect((entry.id == delivery.id) != isEdited)
    try await evocation.outbox.discard(entry)
    #expect(await delivery.value() == .discarded)
  }

  @Test
  func `a new model that is removed before it left is discarded, and its removal is no write`()
    async throws
  {
    let evocation = evocation(Service())
    let delivery = try #require(await evocation.storeOne(Memo()).delivery)
    let removal = await evocation.removeOne(Memo())
    #expect(removal.delivery == nil)
    #expect(!removal.isPending)
    #expect(await delivery.value() == .discarded)
  }

  @Test func `writes that are merged have one delivery, and one of several models all of theirs`()
    async throws
  {
    let evocation = evocation(Service())
    let first = try #require(await evocation.storeOne(Memo()).delivery)
    let second = try #require(await evocation.updateOne(Memo(title: "new")).delivery)
    #expect(first.id == second.id)
    let both = try #require(await evocation.store([Memo(id: 2), Memo(id: 3)]).delivery)
    let again = try #require(try await evocation.outbox.delivery(id: both.id))
    #expect(again.id == both.id)
    _ = await evocation.outbox.flush()
    #expect(
      await [first, second, both, again].asyncValues() == [
        .delivered, .delivered, .delivered, .delivered,
      ])
  }

  @Test func `a call that is not sent by the outbox has no delivery`() async throws {
    let evocation = evocation(Service([Memo()]))
    #expect(await evocation.find(model: Memo.self).delivery == nil)
    #expect(await evocation.storeOne(Memo(id: 9), rule: .remoteOnly).delivery == nil)
    #expect(try await evocation.outbox.delivery(id: "nothing") == nil)
  }

  @Test func `however many are given up, the latest of them say so`() {
    var fates = DeliveryRecords()
    fates.recordDiscarded(["first"])
    fates.recordDiscarded((0..<40_000).map { "\($0)" })
    #expect(fates.isDiscarded("first"))
    fates.recordDiscarded((40_000..<90_000).map { "\($0)" })
    #expect(fates.isDiscarded("39999") && fates.isDiscarded("89999"))
    // What the server has executed all the same is no longer given up.
    fates.recordDelivered("39999")
    #expect(!fates.isDiscarded("39999"))
  }

  @Test func `who is cancelled waits no longer`() async throws {
    let evocation = evocation(Service())
    let delivery = try #require(await evocation.storeOne(Memo()).delivery)
    let task = Task { await delivery.value() }
    task.cancel()
    _ = await task.value
    #expect(try await evocation.outbox.status().pending == 1)
  }
}

extension [Outbox.Delivery] {
  fileprivate func asyncValues() async -> [Outbox.Delivery.Outcome] {
    var values: [Outbox.Delivery.Outcome] = []
    for delivery in self { values.append(await delivery.value()) }
    return values
  }
}
