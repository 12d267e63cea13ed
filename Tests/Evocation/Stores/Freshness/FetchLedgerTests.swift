import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What a ledger that others write too does for those who use it.
@Suite(.patient) struct FetchLedgerTests {
  private let clock = ManualClock()
  private let ledger = SharedLedger()

  @Test func `what another process fetches and clears is shown to those who observe`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false)
    let words = CacheRepository(source, ledger: ledger, clock: clock)
    words.requirements = "words"
    #expect(try await words.refresh() == .successful)
    clock.advance(by: .seconds(61))
    #expect(ledger.followers == 0)
    do {
      var watch = Watch(words.observe())
      #expect(await watch.next() == "yes/v1/stale")
      #expect(ledger.followers == 1)
      try await ledger.write(FetchRecord(fetchedAt: clock.date), for: "words")
      ledger.tellOfOthers()
      #expect(await watch.next() == "yes/v1")
      try await ledger.erase(tag: "words")
      ledger.tellOfOthers()
      #expect(await watch.next() == "no")
    }
    try await eventually("the end of following others") { ledger.followers == 0 }
    #expect(source.fetches == 1)
  }

  @Test func `the date of what local answers follows what another process fetches and clears`()
    async throws
  {
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    evocation.register(for: Car.self).strategy(.remoteFirst)
      .repository(local: InMemoryRepository<Car>())
      .repository(remote: RepositoryMock<Car> { _ in [Car(id: 1)] })
    func date() async -> Date? {
      await evocation.find(model: Car.self, rule: .localOnly).fetchedAt
    }
    let first = clock.date
    #expect(await evocation.find(model: Car.self).origin == .remote)
    clock.advance(by: .seconds(60))
    #expect(await date() == first)
    var (tag, record) = try #require(try await ledger.records(prefix: "").first { _ in true })
    record.fetchedAt = clock.date
    try await ledger.write(record, for: tag)
    ledger.tellOfOthers()
    #expect(await date() == clock.date)
    try await ledger.erase(tag: tag)
    ledger.tellOfOthers()
    #expect(await date() == nil)
  }

  @Test func `a ledger that this process alone writes tells of no others`() {
    #expect(InMemoryFetchLedger().observeOthers {} == nil)
  }
}

/// A ledger that other processes write, and that tells of it when the test says so.
private final class SharedLedger: ForwardingLedger {
  let base = InMemoryFetchLedger()
  private let handlers = Lock<(last: Int, present: [Int: @Sendable () -> Void])>((0, [:]))

  /// How many are told.
  var followers: Int { handlers.withLock { $0.present.count } }

  func tellOfOthers() {
    for handler in handlers.withLock({ $0.present }).values { handler() }
  }

  func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation? {
    let number = handlers.withLock { handlers in
      handlers.last += 1
      handlers.present[handlers.last] = handler
      return handlers.last
    }
    return Evocation.Observation { [handlers] in
      handlers.withLock { $0.present[number] = nil }
    }
  }
}
