import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// What is written of each statement as it ends.
@Suite(.patient) struct SQLiteLogTests {
  private let folder: TemporaryFolder
  private let lines = Lock<[Evocation.Log.Statement]>([])

  init() throws { folder = try TemporaryFolder() }

  private func log(_ levels: Set<Evocation.Log.Level>) -> Evocation.Log {
    Evocation.Log(levels: levels) { [lines] entry in
      if case .statement(let statement) = entry { lines.withLock { $0.append(statement) } }
    }
  }

  @Test func `statements are told by their text, without what is bound to them`() async throws {
    let log = log([.sql])
    let database = try SQLiteDatabase(path: folder.path(), configuration: .init(log: log))
    let cars = try SQLiteRepository<Car>(database)
    _ = try await cars.store([Car(id: 4711, name: "secret")])
    _ = try await cars.find(["name": "secret"])
    log.flush()
    let written = lines.withLock { $0 }
    #expect(written.contains { $0.sql.hasPrefix("INSERT INTO") })
    #expect(written.contains { $0.sql.hasPrefix("SELECT") && $0.sql.contains("?") })
    #expect(!written.contains { $0.sql.contains("secret") || $0.sql.contains("4711") })
    #expect(written.allSatisfy { $0.duration >= .zero && !$0.database.isEmpty })
  }

  @Test func `the statements that open a connection are not told`() async throws {
    let log = log([.sql])
    let database = try SQLiteDatabase(
      path: folder.path(),
      configuration: .init(connectionStatements: ["PRAGMA temp_store = MEMORY"], log: log))
    _ = try await database.read { try $0.rows("SELECT 1") }
    log.flush()
    let written = lines.withLock { $0 }
    #expect(!written.isEmpty)
    #expect(!written.contains { $0.sql.contains("temp_store") })
  }

  @Test func `a log of calls alone has no statements`() async throws {
    let log = log([.calls])
    let database = try SQLiteDatabase(path: folder.path(), configuration: .init(log: log))
    _ = try SQLiteRepository<Car>(database)
    log.flush()
    #expect(lines.withLock { $0.isEmpty })
  }
}
