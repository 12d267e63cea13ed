import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct FetchLedgerContractTests {
  /// What can be wrong with a ledger.
  enum Slip: CaseIterable {
    case losesRecords, comparesCharacters, keepsNoDate
    case erasesNothing, invalidatesNothing, notesNothing
  }

  /// A ledger in memory with one thing wrong.
  private final class CarelessLedger: FetchLedger {
    let base = InMemoryFetchLedger()
    let slip: Slip

    init(_ slip: Slip) { self.slip = slip }

    func record(for tag: String) async throws -> FetchRecord? {
      slip == .losesRecords ? nil : try await base.record(for: tag)
    }

    func write(_ record: FetchRecord, for tag: String) async throws {
      try await base.write(record, for: tag)
    }

    func erase(prefix: String) async throws {
      if slip != .erasesNothing { try await base.erase(prefix: prefix) }
    }

    func erase(tag: String) async throws {
      if slip != .erasesNothing { try await base.erase(tag: tag) }
    }

    func markInvalidated(prefix: String) async throws {
      if slip != .invalidatesNothing { try await base.markInvalidated(prefix: prefix) }
    }

    func records(prefix: String) async throws -> FetchRecords {
      let found = try await base.records(prefix: prefix)
      guard slip == .comparesCharacters else { return found }
      return found.filter { $0.tag.hasPrefix(prefix) }
    }

    func greatestDate() async throws -> Date? {
      slip == .keepsNoDate ? nil : try await base.greatestDate()
    }

    func note(_ date: Date) async throws {
      if slip != .notesNothing { try await base.note(date) }
    }
  }

  @Test(arguments: Slip.allCases)
  func `a ledger that differs from a dictionary is told where`(_ slip: Slip) async throws {
    var contract = FetchLedgerContract("a ledger that \(slip)")
    let told = try #require(
      try await contract.violation(of: CarelessLedger(slip), operations: 10_000))
    switch slip {
    case .losesRecords: #expect(told.hasSuffix("\" is nil"))
    case .comparesCharacters: #expect(told.contains(" begin ["))
    case .keepsNoDate: #expect(told.hasSuffix("the greatest date is nil"))
    case .erasesNothing, .invalidatesNothing, .notesNothing: break
    }
  }
}
