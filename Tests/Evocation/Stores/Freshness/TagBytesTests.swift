import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationStores

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
      try await ledger.records(prefix: "cafe").tags.map { Array($0.utf8) } == [
        Array(tags[1].utf8)
      ])
    let records = try await ledger.records(prefix: "caf")
    #expect(records.count == 2 && tags.allSatisfy { records[$0] != nil })
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

  @Test func `what is kept is told of both when one is deleted`() async throws {
    let (clock, source) = (ManualClock(), FakeSource(limits: CacheLimits(count: 2)))
    let words = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
    for tag in tags + ["tea"] {
      clock.advance(by: .seconds(60))
      words.requirements = .init(tag: tag)
      #expect(try await words.refresh() == .successful)
    }
    await source.deletions.reach(1)
    func bytes(_ tags: [String]) -> [[UInt8]] { tags.map { Array($0.utf8) } }
    #expect(bytes(source.deletedTags) == bytes([tags[0]]))
    #expect(source.keptTags.map(bytes) == [bytes([tags[1], "tea"])])
  }

  @Test func `what is kept is told of one when the other is cleared`() async throws {
    let source = FakeSource()
    let words = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: ManualClock())
    for tag in tags {
      words.requirements = .init(tag: tag)
      #expect(try await words.refresh() == .successful)
    }
    try await words.clear()
    #expect(source.keptTags.map { $0.map { Array($0.utf8) } } == [[Array(tags[0].utf8)]])
  }

  @Test func `a window of a list is shown for its tag alone`() {
    let windows = ListWindows<Car>()
    windows.show(0..<2, of: tags[0])
    #expect(windows.window(of: tags[0]) == 0..<2)
    #expect(windows.window(of: tags[1]) == nil)
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
