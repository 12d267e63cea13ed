import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// An outbox in a repository that an app has written itself.
@Suite(.timeLimit(.minutes(30))) struct OwnOutboxTests {
  private let service = NotingService([
    Draft(id: 1, title: "theirs"), Draft(id: 2, title: "theirs"),
  ])
  private let clock = ManualClock()
  private let byID = Criteria().sorted(by: "id")

  private func evocation(
    on local: OwnOutbox, _ strategy: Strategy = .offlineFirst
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Draft.self).repository(remote: service).repository(local: local)
      .strategy(strategy)
    return evocation
  }

  @Test func `a repository that does what the protocol says by what it offers keeps the contract`()
    async
  {
    let drafts = (1...3).map { Draft(id: $0, title: "\($0)") }
    let contract = OutboxRepositoryContract(drafts) { draft in
      Draft(id: draft.id, title: draft.title + "!")
    }
    let violations = await contract.violations { OwnOutbox() }
    #expect(violations == [])
  }

  @Test func `its unsent writes are pending, stay under what is fetched, and are sent`()
    async throws
  {
    let local = OwnOutbox()
    let evocation = evocation(on: local)
    let (mine, theirs) = (Draft(id: 1, title: "mine"), Draft(id: 2, title: "theirs"))
    _ = try await local.store([Draft(id: 1, title: "theirs")])
    #expect(await evocation.updateOne(mine).isPending)
    let found = await evocation.find(
      model: Draft.self, criteria: byID, rule: .init(synchronize: .mirror))
    #expect(found.origin == .remote)
    #expect(found.data == [mine, theirs])
    // What the repository adds to a commit is found where each repository's metadata are.
    #expect(found.metadata[.local]?["actions"] as? Int == 1)
    #expect(try await local.find(byID).value == [mine, theirs])
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(service.notes == ["update 1 mine"])
  }

  @Test func `a flush of a store that cannot be read does not say that nothing is left`() async {
    let local = OwnOutbox()
    let evocation = evocation(on: local)
    _ = await evocation.storeOne(Draft(id: 3, title: "mine"))
    evocation.outbox.pause()
    local.isUnreadable.withLock { $0 = true }
    let result = await evocation.outbox.flush()
    #expect(result.left == 1)
    #expect(result.reason?.hasPrefix("A local store cannot be read, so there may be more:") == true)
    #expect(await evocation.catchUp(deadline: .seconds(25)).left == 1)
    await #expect(throws: Outage.self) { try await evocation.outbox.status() }
  }

  @Test func `where it does not say whether it held entries, they are looked for`() async {
    let local = OwnOutbox()
    _ = await evocation(on: local).storeOne(Draft(id: 3, title: "mine"))
    let next = evocation(on: local, .remoteFirst)
    let found = await next.find(model: Draft.self, criteria: byID)
    #expect(found.origin == .remote && found.data?.map(\.id) == [1, 2, 3])
  }

  @Test func `an entry that it cannot decode is shown as it is, and holds up no other`()
    async throws
  {
    let local = OwnOutbox(unreadableTitle: "newer")
    let evocation = evocation(on: local)
    _ = await evocation.storeOrUpdate([Draft(id: 3, title: "newer"), Draft(id: 4, title: "a")])
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(service.notes == ["storeOrUpdate 4 a"])
    let entry = try #require(try await evocation.outbox.unreadableEntries().first)
    #expect(entry.kind == .storeOrUpdate && entry.queue == "Draft")
    #expect(entry.reason == "its form is newer" && entry.queuedAt == clock.date)
    #expect(
      try JSONDecoder().decode(Draft.self, from: entry.json) == Draft(id: 3, title: "newer"))
    try await evocation.outbox.discard(entry)
    #expect(try await evocation.outbox.unreadableEntries() == [])
    #expect(try await local.find(["id": 3]).value == [Draft(id: 3, title: "newer")])
    let error = await #expect(throws: EvocationError.self) {
      try await evocation.outbox.discard(entry)
    }
    #expect(
      error?.description
        == "The outbox no longer has the entry \(entry.id), because it was sent or discarded; "
        + "read the entries again.")
  }
}
