import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// Tags whose letters are the same and whose bytes are not.
@Suite(.patient) struct TagBytesTests {
  private let tags = ["caf\u{E9}", "cafe\u{301}"]

  private func check(_ ledger: any FetchLedger) async throws {
    let record = FetchRecord(fetchedAt: Date(timeIntervalSinceReferenceDate: 1))
    try await ledger.write(record, for: tags[0])
    #expect(try await ledger.record(for: tags[0]) == record)
    #expect(try await ledger.record(for: tags[1]) == nil)
    var other = record
    other.size = 2
    try await ledger.write(other, for: tags[1])
    #expect(try await ledger.record(for: tags[0]) == record)
    try await ledger.markInvalidated(prefix: "cafe")
    #expect(try await ledger.record(for: tags[0])?.isInvalidated == false)
    #expect(try await ledger.record(for: tags[1])?.isInvalidated == true)
    #expect(
      try await ledger.records(prefix: "cafe").keys.map { Array($0.utf8) } == [
        Array(tags[1].utf8)
      ])
    try await ledger.erase(tag: tags[1])
    #expect(try await ledger.record(for: tags[0]) == record)
    #expect(try await ledger.record(for: tags[1]) == nil)
    try await ledger.erase(prefix: "")
  }

  @Test func `the ledger in memory tells them apart`() async throws {
    try await check(InMemoryFetchLedger())
  }

  @Test func `the ledger in UserDefaults tells them apart`() async throws {
    try await check(
      UserDefaultsFetchLedger(suite: "evocation-tests", prefix: "\(UUID().uuidString)."))
  }

  @Test func `caches of such tags are two`() async throws {
    let ledger = InMemoryFetchLedger()
    let source = FakeSource { ["v\($0)"] }
    let words = CacheRepository(source, ledger: ledger, clock: ManualClock())
    words.requirements = .init(tag: tags[0])
    #expect(try await words.refresh() == .successful)
    words.requirements = .init(tag: tags[1])
    #expect(try await words.refreshIfNoCache() == .successful)
    #expect(source.fetches == 2)
  }
}
