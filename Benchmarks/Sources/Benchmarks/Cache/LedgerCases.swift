import Evocation
import EvocationSQLite
import Foundation
import Harness

/// The cost of asking a ledger for a cache key, with ten keys in it and with a hundred thousand.
struct LedgerCases {
  private typealias Making = @Sendable (Int) async throws -> any FetchLedger

  private static let few = 10
  private static let many = 100_000

  var all: [Case] {
    let places: [(String, Int, Making)] = [
      ("memory", 1_000, Self.inMemory), ("SQLite", 100, Self.inFile),
    ]
    return places.flatMap { place, asks, make in
      let (few, many) = (Once { try await make(Self.few) }, Once { try await make(Self.many) })
      let reference = "ledger, \(place): a tag of 10"
      return [
        Case(reference, count: asks) { try await Self.ask(few.value, $0, spread: Self.few) },
        Case(
          "ledger, \(place): one of ten tags among 100,000", count: asks, against: reference,
          bar: .times(1.2)
        ) { try await Self.ask(many.value, $0, spread: Self.few) },
        Case("ledger, \(place): any tag of 100,000", count: asks, against: reference) {
          try await Self.ask(many.value, $0, spread: Self.many)
        },
      ]
    }
  }

  private static func tag(_ number: Int) -> String { "Benchmarks.Car?{\"year\":\(number)}" }

  /// Asks for a number of different keys, in an order that no processor predicts.
  private static func ask(_ ledger: any FetchLedger, _ count: Int, spread: Int) async throws {
    for index in 0..<count {
      let number = index &* 7_919 % spread
      try await expect(ledger.record(for: tag(number)) != nil)
    }
  }

  private static func inMemory(_ count: Int) async throws -> any FetchLedger {
    let ledger = InMemoryFetchLedger()
    for number in 0..<count { try await ledger.write(record, for: tag(number)) }
    return ledger
  }

  private static let columns =
    "fetchedAt, isInvalidated, usedAt, size, source, requirements, pages, mark, store"

  private static func inFile(_ count: Int) async throws -> any FetchLedger {
    let database = try SQLiteDatabase(path: Crowd.path())
    let ledger = SQLiteFetchLedger(database)
    try await ledger.write(record, for: tag(0))
    try await database.write { db in
      for number in 1..<count {
        try db.execute(
          "INSERT INTO evocation_fetches (tag, \(columns)) "
            + "SELECT ?, \(columns) FROM evocation_fetches WHERE tag = ?",
          [tag(number), tag(0)])
      }
    }
    return ledger
  }

  private static let record = FetchRecord(
    fetchedAt: Date(timeIntervalSinceReferenceDate: 0), source: "Benchmarks.Car",
    requirements: Data("{\"year\":2002}".utf8))
}
