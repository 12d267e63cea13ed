import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import EvocationStores

/// The records that a ledger gives, by their tags.
@Suite struct FetchRecordsTests {
  @Test func `tags that look alike and differ in bytes have a record each`() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let dates = [Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)]
    var records: FetchRecords = [
      composed: FetchRecord(fetchedAt: dates[0]), decomposed: FetchRecord(fetchedAt: dates[1]),
    ]
    #expect(records.count == 2 && !records.isEmpty)
    #expect(records[composed]?.fetchedAt == dates[0])
    #expect(records[decomposed]?.fetchedAt == dates[1])
    var iterator = records.filter { $0.record.fetchedAt == dates[1] }.makeIterator()
    let first = iterator.next()
    let found = try #require(first)
    #expect(found.tag.unicodeScalars.count == 5)
    records[composed] = nil
    #expect(records.tags.count == 1 && records.values.map(\.fetchedAt) == [dates[1]])
    #expect(FetchRecords().isEmpty)
  }
}
