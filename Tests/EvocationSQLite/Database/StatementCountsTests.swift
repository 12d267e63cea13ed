import Evocation
import EvocationSQLite
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct StatementCountsTests {
  @Test func `What streams prepared counts after they ended`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let cars = try SQLiteRepository<Car>(database)
    let before = try await database.statistics()
    for _ in 0..<100 { for try await _ in cars.stream() {} }
    let after = try await database.statistics()
    #expect(after.statementMissCount >= before.statementMissCount + 100)
  }
}
