import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls

/// Models that refer to two others of one type.
@Suite(.timeLimit(.minutes(30))) struct OutboxTwoReferencesTests {
  struct Account: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var name = ""
  }

  struct Transfer: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var from: Int
    var to: Int
    var fee: Int?
  }

  private let accounts = NumberingService<Account> { Account(id: $1, name: $0.name) }
  private let transfers = NumberingService<Transfer> {
    Transfer(id: $1, from: $0.from, to: $0.to, fee: $0.fee)
  }
  private let localAccounts = InMemoryRepository<Account>()
  private let localTransfers = InMemoryRepository<Transfer>()

  private func evocation(
    _ declare: (Proxy<Transfer>) -> Void = { proxy in
      proxy.sends(after: Account.self, by: \.from).sends(after: Account.self, by: \.to)
        .sends(after: Account.self, by: \.fee)
    }
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: ManualClock(), chance: { 0.5 },
        outbox: .init(concurrency: 1, sendsAutomatically: false)))
    evocation.register(for: Account.self).repository(remote: accounts)
      .repository(local: localAccounts).strategy(.offlineFirst)
    declare(register(at: evocation))
    return evocation
  }

  private func register(at evocation: Evocation) -> Proxy<Transfer> {
    evocation.register(for: Transfer.self).repository(remote: transfers)
      .repository(local: localTransfers).strategy(.offlineFirst)
  }

  private func arrived() -> [String] { transfers.arrived.withLock { $0 } }

  @Test(arguments: [false, true])
  func `each reference to one type gets the id that the server assigned`(
    isOtherOrder: Bool
  ) async throws {
    let evocation = evocation()
    for id in isOtherOrder ? [-3, -2, -1] : [-1, -2, -3] {
      _ = await evocation.storeOne(Account(id: id, name: "\(id)"))
    }
    _ = await evocation.storeOne(Transfer(id: -9, from: -1, to: -2, fee: -3))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 4, left: 0, parked: 0))
    let ids = isOtherOrder ? [102, 101, 100] : [100, 101, 102]
    #expect(
      arrived() == ["store \(Transfer(id: -9, from: ids[0], to: ids[1], fee: ids[2]))"])
    #expect(
      try await localTransfers.find(Criteria()).value
        == [Transfer(id: 100, from: ids[0], to: ids[1], fee: ids[2])])
  }

  @Test func `two references to one and the same model both get its id`() async throws {
    let evocation = evocation()
    _ = await evocation.storeOne(Account(id: -1))
    _ = await evocation.storeOne(Transfer(id: -9, from: -1, to: -1, fee: -1))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(arrived() == ["store \(Transfer(id: -9, from: 100, to: 100, fee: 100))"])
  }

  @Test func `what is written later to a former id gets the present one by each reference`()
    async throws
  {
    let evocation = evocation()
    for id in [-1, -2] { _ = await evocation.storeOne(Account(id: id)) }
    #expect(await evocation.outbox.flush().sent == 2)
    _ = await evocation.storeOne(Transfer(id: -9, from: -1, to: -2))
    _ = await evocation.storeOne(Transfer(id: -8, from: -2, to: -1, fee: -2))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(
      Set(arrived()) == [
        "store \(Transfer(id: -9, from: 100, to: 101))",
        "store \(Transfer(id: -8, from: 101, to: 100, fee: 101))",
      ])
  }

  @Test(arguments: [false, true])
  func `a write waits for a parked one by each reference`(isFrom: Bool) async throws {
    let evocation = evocation()
    try await evocation.outbox.testing.initState(of: Account.self) {
      $0.parked(Account(id: 5), reason: "no")
    }
    _ = await evocation.storeOne(Transfer(id: 1, from: isFrom ? 5 : 8, to: isFrom ? 9 : 5))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 1, parked: 1))
    try await evocation.outbox.retry(evocation.outbox.entries(of: Account.self)[0])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(arrived().count == 1)
  }

  @Test func `a reference that is declared twice is one`() async throws {
    let evocation = evocation { proxy in
      proxy.sends(after: Account.self, by: \.from).sends(after: Account.self, by: \.from)
        .sends(after: Account.self, by: \.to).sends(after: Account.self, by: \.from)
    }
    _ = await evocation.storeOne(Account(id: -1))
    _ = await evocation.storeOne(Transfer(id: -9, from: -1, to: 7))
    let entry = try #require(try await evocation.outbox.entries(of: Transfer.self).first)
    #expect(entry.references.map(\.key) == ["-1", "7"])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(arrived() == ["store \(Transfer(id: -9, from: 100, to: 7))"])
  }

  @Test func `a type that is registered again has the references that it declares then`()
    async throws
  {
    let evocation = evocation()
    register(at: evocation).sends(after: Account.self, by: \.to)
    _ = await evocation.storeOne(Account(id: -1))
    _ = await evocation.storeOne(Transfer(id: -9, from: -1, to: -1))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(arrived() == ["store \(Transfer(id: -9, from: -1, to: 100))"])
    // What it no longer waits for may wait for it.
    _ = register(at: evocation)
    let proxy = try evocation.proxy(for: Account.self)
    proxy.sends(after: Transfer.self, by: \.id)
    try proxy.validate()
  }
}
