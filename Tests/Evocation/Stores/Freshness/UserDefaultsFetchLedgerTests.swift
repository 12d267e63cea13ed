import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct UserDefaultsFetchLedgerTests {
  /// A suite of a test's own, which goes when the test lets it go.
  private final class DefaultsSuite {
    let name = "evocation-test-\(UUID().uuidString)"

    var ledger: UserDefaultsFetchLedger { UserDefaultsFetchLedger(suite: name) }
    var defaults: UserDefaults? { UserDefaults(suiteName: name) }

    deinit { UserDefaults().removePersistentDomain(forName: name) }
  }

  private let suite = DefaultsSuite()
  private let record = FetchRecord(
    fetchedAt: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), isInvalidated: true,
    usedAt: .distantFuture, size: 3, source: "a\0b", requirements: Data([0, 255]))

  @Test func `A ledger in user defaults does what a dictionary does`() async throws {
    var contract = FetchLedgerContract("defaults ledger")
    let violation = try await contract.violation(of: suite.ledger, operations: 200)
    #expect(violation == nil)
  }

  @Test func `An invalidation brings no date back from before the device's date was set back`()
    async throws
  {
    let ledger = suite.ledger
    try await ledger.write(FetchRecord(fetchedAt: Date(timeIntervalSince1970: 9000)), for: "a")
    try await ledger.note(Date(timeIntervalSince1970: 5000))
    try await ledger.markInvalidated(prefix: "")
    #expect(try await ledger.greatestDate() == Date(timeIntervalSince1970: 5000))
  }

  @Test func `A new ledger of the same suite notices a date before the last that was seen`()
    async throws
  {
    let clock = ManualClock()
    func isFresh() async -> Bool {
      let evocation = Evocation(configuration: .init(clock: clock, ledger: suite.ledger))
      evocation.register(for: Car.self).repository(
        remote: RepositoryMock<Car> { _ in [Car(id: 1)] }
      )
      .repository(local: NamedLocal()).strategy(.cacheFirst(maxAge: .seconds(600)))
      return await evocation.find(model: Car.self).origin == .local
    }
    #expect(await !isFresh())
    #expect(await isFresh())
    let later = clock.date + 3600
    try await suite.ledger.note(later)
    clock.advance(by: .seconds(3600))
    clock.setDate(later - 3500)
    #expect(await !isFresh())
    #expect(await isFresh())
    #expect(try await suite.ledger.records(prefix: "").count == 1)
  }

  /// A local repository of one name, as if its file were opened again.
  private struct NamedLocal: ForwardingRepository {
    let base = InMemoryRepository([Car(id: 1)])
    var storeName: String? { "cars" }
  }

  @Test func `A new ledger of the same suite knows what was written`() async throws {
    try await suite.ledger.write(record, for: "a\0")
    #expect(try await suite.ledger.record(for: "a\0") == record)
    #expect(try await suite.ledger.records(prefix: "") == ["a\0": record])
  }

  @Test func `Two suites, and two prefixes in one, are apart`() async throws {
    let other = DefaultsSuite()
    let beside = UserDefaultsFetchLedger(suite: suite.name, prefix: "else.")
    try await suite.ledger.write(record, for: "a")
    for ledger in [other.ledger, beside] {
      #expect(try await ledger.record(for: "a") == nil)
      try await ledger.erase(prefix: "")
      #expect(ledger.identity != suite.ledger.identity)
    }
    #expect(try await suite.ledger.record(for: "a") == record)
    #expect(suite.ledger.identity == suite.ledger.identity)
  }

  @Test func `What cannot be read counts as never fetched`() async throws {
    let ledger = suite.ledger
    try await ledger.write(record, for: "b")
    for garbage in [Data("{".utf8), "text", 5] as [Any] {
      suite.defaults?.set(garbage, forKey: "evocation.fetched.a")
      #expect(try await ledger.record(for: "a") == nil)
      #expect(try await ledger.records(prefix: "") == ["b": record])
    }
    try await ledger.markInvalidated(prefix: "")
    try await ledger.write(record, for: "a")
    #expect(try await ledger.record(for: "a") == record)
  }

  @Test func `The start of the system, which earlier betas kept, is passed over`() async throws {
    let date = record.fetchedAt + 90
    suite.defaults?.set(Data("{}".utf8), forKey: "evocation.fetched.%start")
    try await suite.ledger.write(record, for: "a")
    try await suite.ledger.note(date)
    #expect(try await suite.ledger.records(prefix: "") == ["a": record])
    #expect(try await suite.ledger.greatestDate() == date)
  }

  @Test func `Other keys of the suite are left alone`() async throws {
    suite.defaults?.set(1, forKey: "a")
    try await suite.ledger.write(record, for: "a")
    try await suite.ledger.erase(prefix: "")
    #expect(suite.defaults?.integer(forKey: "a") == 1)
  }

  @Test func `Two ledgers of one suite share the state of their tags`() async throws {
    let source = FakeSource()
    let first = CacheRepository(source, ledger: suite.ledger)
    let second = CacheRepository(source, ledger: suite.ledger)
    for repository in [first, second] { repository.requirements = .init(tag: "words") }
    #expect(try await first.refresh() == .successful)
    #expect(try await second.refresh() == .skipped(.cacheNotTooOld))
    try await suite.ledger.clear(prefix: "wor")
    #expect(try await second.refreshIfNoCache() == .successful)
    #expect(source.fetches == 2)
  }
}
