import Evocation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite(.patient) struct StatementCountsTests {
  @Test func `The counts of streams that ended are kept, and nothing else of them`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let cars = try SQLiteRepository<Car>(database)
    let before = try await database.statistics()
    for _ in 0..<100 { for try await _ in cars.stream() {} }
    try await eventually("all streams are closed") { database.statementCounts.openCount <= 5 }
    let after = try await database.statistics()
    #expect(after.statementMissCount >= before.statementMissCount + 100)
  }
}
