import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationValues

/// What becomes of unsent writes when somebody signs out of everything.
@Suite(.patient) struct SignOutOutboxTests {
  private let service = NotingService()
  private let local = InMemoryRepository<Draft>()
  private let others = InMemoryRepository([Car(id: 1)])
  private let ledger = InMemoryFetchLedger()
  private let evocation: Evocation

  init() {
    evocation = Evocation(
      configuration: .init(
        clock: ManualClock(), chance: { 0.5 }, ledger: ledger,
        outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Draft.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    evocation.register(for: Car.self).repository(local: others).strategy(.localOnly)
  }

  @Test func `Blocked by unsent writes, nothing is changed anywhere`() async throws {
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    try await ledger.write(FetchRecord(fetchedAt: .distantPast, source: "x"), for: "a")
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    _ = await answers.next(isolation: nil)
    let error = await #expect(throws: EvocationError.self) {
      try await evocation.signOut(.block)
    }
    #expect(
      error?.description
        == "1 write has not reached the server; send it with flush(), resend or discard what is parked, "
        + "or sign out with "
        + ".keep or .discard.")
    #expect(try await local.find(Criteria()).value.count == 1)
    #expect(try await others.find(Criteria()).value.count == 1)
    #expect(try await ledger.record(for: "a") != nil)
    _ = await evocation.storeOne(Draft(id: 2, title: "b"))
    let another = await #expect(throws: EvocationError.self) {
      try await evocation.signOut(.block)
    }
    #expect(
      another?.description
        == "2 writes have not reached the server; send them with flush(), resend or discard what is "
        + "parked, or sign out with .keep or .discard.")
    #expect(await evocation.outbox.flush().sent == 2)
    try await evocation.signOut(.block)
    #expect(try await local.find(Criteria()).value.isEmpty)
    #expect(await answers.next(isolation: nil)?.data == [])
  }

  @Test func `Discarded, they are told and never sent, and their models go`() async throws {
    _ = try await local.store([Draft(id: 1, title: "a")])
    _ = await evocation.updateOne(Draft(id: 1, title: "b"))
    _ = await evocation.storeOne(Draft(id: 2, title: "c"))
    var events = evocation.outbox.events().makeAsyncIterator()
    try await evocation.signOut(.discard)
    for _ in 1...2 {
      let event = await Outbox.next(&events) {
        if case .discarded = $0 { true } else { false }
      }
      #expect(event != nil)
    }
    #expect(try await local.find(Criteria()).value == [])
    #expect(await evocation.outbox.flush().sent == 0)
    #expect(service.notes == [])
  }

  @Test func `Kept, they wait, their models go, and are there again when they are sent`()
    async throws
  {
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    try await evocation.signOut(.keep)
    #expect(try await local.find(Criteria()).value == [])
    #expect(try await others.find(Criteria()).value == [])
    #expect(await evocation.outbox.flush().left == 1)
    #expect(service.notes == [])
    await #expect(throws: EvocationError.unsentWrites(1)) { try await evocation.signOut(.block) }
    evocation.outbox.resume()
    try await eventually("the outbox to be empty") { await evocation.outbox.flush().left == 0 }
    #expect(service.notes == ["store 1 a"])
  }

  @Test(arguments: [false, true])
  func `Once unsent writes are discarded, none is set aside`(signsOut: Bool) async throws {
    evocation.register(for: Draft.self)
      .repository(remote: InMemoryRepository([Draft(id: 1, title: "theirs")]))
      .repository(local: local).strategy(.offlineFirst)
    func leave(_ unsent: Outbox.UnsentWrites) async throws {
      if signsOut { return try await evocation.signOut(unsent) }
      try await evocation.outbox.settle(unsent)
    }
    _ = await evocation.find(model: Draft.self, rule: .remoteFirst)
    _ = await evocation.updateOne(Draft(id: 1, title: "mine"))
    try await leave(.keep)
    try await leave(.discard)
    // Of the next user, a removal hides its model, and is sent without more ado.
    #expect(
      await evocation.find(model: Draft.self, rule: .remoteFirst).data?.map(\.title) == ["theirs"])
    _ = await evocation.removeOne(Draft(id: 1, title: "theirs"))
    #expect(await evocation.find(model: Draft.self, rule: .remoteFirst).data == [])
    #expect(try await local.find(Criteria()).value == [])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(await evocation.find(model: Draft.self, rule: .remoteFirst).data == [])
  }

  @Test(arguments: [Outbox.UnsentWrites.discard, .keep])
  func `What is being sent meanwhile puts nothing back`(unsent: Outbox.UnsentWrites) async throws {
    let gate = Gate()
    let remote = StubbornRemote([Draft(id: 1, title: "theirs")])
    remote.gate.withLock { $0 = gate }
    evocation.register(for: Draft.self).repository(remote: remote).repository(local: local)
      .strategy(.offlineFirst)
    _ = try await local.store([Draft(id: 1, title: "theirs")])
    _ = await evocation.updateOne(Draft(id: 1, title: "mine"))
    let flush = Task { await evocation.outbox.flush() }
    await gate.arrivals(1)
    try await evocation.signOut(unsent)
    gate.open()
    _ = await flush.value
    try await eventually("the late write") { remote.underWay.withLock { $0 } == 0 }
    #expect(try await local.find(Criteria()).value == [])
  }
}
