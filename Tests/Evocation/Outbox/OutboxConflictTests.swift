import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// What the remote is asked when it has another state, and what comes of it.
@Suite(.timeLimit(.minutes(30))) struct OutboxConflictTests {
  struct Member: Codable, Identifiable, Sendable, Hashable {
    var number: Int
    var name: String
    var id: Int { number }
  }

  /// A service that may name its ids otherwise.
  final class MemberService: ForwardingRepository, SharedService {
    let base = InMemoryRepository([Member(number: 1, name: "theirs")])
    let service = "members"
    let identifierKey: Criteria.Key
    let gate = Gate()

    init(_ key: Criteria.Key) { identifierKey = key }

    func findOne(_ criteria: Criteria) async throws -> Response<Member?> {
      try await gate.pass()
      return try await base.findOne(criteria)
    }
  }

  let local = InMemoryRepository<Member>()
  let clock = ManualClock()

  private func evocation(_ service: MemberService) throws -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Member.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst).conflicts { conflict in conflict.theirs == nil ? .park : .theirs }
    return evocation
  }

  @Test func `the remote is asked by the key that it names ids by`() async throws {
    let service = MemberService("number")
    service.gate.open()
    let evocation = try evocation(service)
    _ = await evocation.storeOne(Member(number: 1, name: "mine"))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await local.find(Criteria()).value == [Member(number: 1, name: "theirs")])
  }

  @Test func `a conflict about which the remote cannot be asked is parked`() async throws {
    let service = MemberService("id")
    service.gate.open()
    let evocation = try evocation(service)
    _ = await evocation.storeOne(Member(number: 1, name: "mine"))
    #expect(await evocation.outbox.flush().parked == 1)
  }

  @Test func `a remote that does not say what it has is waited for as long as for a write`()
    async throws
  {
    let service = MemberService("number")
    let evocation = try evocation(service)
    _ = await evocation.storeOne(Member(number: 1, name: "mine"))
    let result = Promise<Outbox.FlushResult>()
    Task { result.fulfil(await evocation.outbox.flush()) }
    #expect(await service.gate.arrivals(1))
    await clock.advance { result.isFulfilled }
    #expect(await result.value == Outbox.FlushResult(sent: 0, left: 1, parked: 0))
  }

  @Test func `what is added again stays as it was written where its removal yields`() async throws {
    let theirs = Member(number: 1, name: "theirs")
    let service = ScriptedService([theirs], identifierKey: "number") { request, _ in request.model }
    let evocation = try evocation(MemberService("number"))
    try evocation.proxy(for: Member.self).repository(remote: service)
    let mine = Member(number: 1, name: "mine")
    _ = try await local.store([mine])
    _ = await evocation.removeOne(mine)
    _ = await evocation.storeOne(mine)
    #expect(await evocation.outbox.flush().left == 0)
    #expect(service.requests.map(\.kind) == [.store])
    #expect(service.requests.last?.model == mine)
  }

  @Test func `who listens to an outbox is told when it is gone`() async throws {
    var evocation: Evocation? = try evocation(MemberService("number"))
    var events = evocation?.outbox.events().makeAsyncIterator()
    evocation = nil
    #expect(await events?.next() == nil)
  }
}
