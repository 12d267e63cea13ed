import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

private struct Typed<Value: Codable & Sendable>: Codable, Identifiable, Sendable {
  var id: Int
  var value: Value
}

private struct Named: Codable, Sendable { var name: String }

/// Properties whose type changed, in a table that was made for the type before.
@Suite(.patient) struct TypeChangeTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
  }

  private func things<Value>(
    _ type: Value.Type, indexes: [SQLiteIndex] = []
  ) throws -> SQLiteRepository<Typed<Value>> {
    try SQLiteRepository(database, table: "thing", indexes: indexes)
  }

  /// What is said where a table for one type is opened for another, by another start of the app.
  private func refusal<Old: Codable & Sendable, New: Codable & Sendable>(
    _ old: Old.Type, _ new: New.Type
  ) async throws -> String? {
    let folder = try TemporaryFolder()
    let first = try SQLiteDatabase(path: folder.path())
    _ = try SQLiteRepository<Typed<Old>>(first, table: "thing")
    await first.close()
    let second = try SQLiteDatabase(path: folder.path())
    do {
      _ = try SQLiteRepository<Typed<New>>(second, table: "thing")
      return nil
    } catch let error as SQLiteError {
      #expect(error.code == .schemaMismatch)
      let reason = error.description.components(separatedBy: "its columns differ: ").last
      return reason?.components(separatedBy: "; use another").first
    }
  }

  @Test func `A type that lies in another column is refused`() async throws {
    let decimal = "TEXT COLLATE evocation_decimal"
    #expect(
      try await refusal(String.self, Decimal.self) == "\"value\" is TEXT instead of \(decimal)")
    #expect(
      try await refusal(Decimal.self, String.self) == "\"value\" is \(decimal) instead of TEXT")
    #expect(
      try await refusal(Decimal.self, Named.self) == "\"value\" is \(decimal) instead of TEXT")
    #expect(try await refusal(Int.self, UInt64.self) == "\"value\" is INTEGER instead of INT")
  }

  @Test func `A type that lies in the same column otherwise is refused`() async throws {
    func sentence(_ old: String, _ new: String) -> String {
      "\"value\" was made for \(old), and is to hold \(new)"
    }
    #expect(try await refusal(Date.self, Double.self) == sentence("a date", "a number"))
    #expect(try await refusal(Double.self, Date.self) == sentence("a number", "a date"))
    #expect(try await refusal(Int.self, Bool.self) == sentence("a whole number", "a Boolean"))
    #expect(try await refusal(Bool.self, Int.self) == sentence("a Boolean", "a whole number"))
    #expect(try await refusal(String.self, Named.self) == sentence("text", "JSON"))
    #expect(try await refusal([String].self, String.self) == sentence("JSON", "text"))
    #expect(try await refusal(UUID.self, Data.self) == sentence("a UUID", "data"))
  }

  @Test func `A type that is written and read alike is not refused`() async throws {
    #expect(try await refusal(String.self, Fuel.self) == nil)
    #expect(try await refusal(String.self, URL.self) == nil)
    #expect(try await refusal(Int.self, Gear.self) == nil)
    #expect(try await refusal(Int8.self, Int.self) == nil)
    #expect(try await refusal(Float.self, Double.self) == nil)
    #expect(try await refusal([Int].self, Named.self) == nil)
  }

  @Test func `The error shows a migration, after which decimals compare by value`() async throws {
    let old = try things(String.self, indexes: ["value"])
    try await old.store([.init(id: 1, value: "10"), .init(id: 2, value: "9")])
    let path = try TemporaryFolder()
    try await database.backup(to: path.path())
    let database = try SQLiteDatabase(path: path.path())
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Typed<Decimal>>(database, table: "thing", indexes: ["value"])
    }
    let migration = [
      #"DROP INDEX "thing(value)""#, #"ALTER TABLE "thing" RENAME COLUMN "value" TO "old value""#,
      #"ALTER TABLE "thing" ADD COLUMN "value" TEXT COLLATE evocation_decimal NOT NULL DEFAULT '0'"#,
      #"UPDATE "thing" SET "value" = "old value""#,
      #"ALTER TABLE "thing" DROP COLUMN "old value""#,
    ]
    #expect(
      error?.description == """
        Using the table "thing" of "\(path.path())" for Typed<Decimal> failed: its \
        columns differ: "value" is TEXT instead of TEXT COLLATE evocation_decimal; use another \
        name with table:, or change the table in a migration, such as \
        \(migration.joined(separator: "; ")).
        """)
    try database.migrate([
      SQLiteMigration("value") { db in
        for statement in migration { try db.execute(statement) }
      }
    ])
    let new = try SQLiteRepository<Typed<Decimal>>(database, table: "thing", indexes: ["value"])
    #expect(try await new.find(Criteria().sorted(by: "value")).value.map(\.id) == [2, 1])
    #expect(try await new.find(Criteria.Key("value") > 9).value.map(\.id) == [1])
  }

  @Test func `A table that a migration names may hold another type afterwards, and no other table`()
    async throws
  {
    let folder = try TemporaryFolder()
    let first = try SQLiteDatabase(path: folder.path())
    for table in ["thing", "other \"thing"] {
      let old = try SQLiteRepository<Typed<Double>>(first, table: table)
      try await old.store([.init(id: 1, value: 978_307_200)])
    }
    await first.close()
    let second = try SQLiteDatabase(path: folder.path())
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Typed<Date>>(second, table: "other \"thing")
    }
    #expect(
      error?.description.hasSuffix(
        #"in a migration, such as UPDATE "other ""thing" SET "value" = …."#) == true)
    try second.migrate([
      SQLiteMigration("dates", #"UPDATE "thing" SET "value" = "value" - 978307200"#)
    ])
    let new = try SQLiteRepository<Typed<Date>>(second, table: "thing")
    #expect(
      try await new.find(Criteria()).value[0].value == Date(timeIntervalSince1970: 978_307_200))
    #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Typed<Date>>(second, table: "other \"thing")
    }
    try second.migrate([
      SQLiteMigration("dates", #"UPDATE "thing" SET "value" = "value" - 978307200"#),
      SQLiteMigration("others", #"UPDATE "other ""thing" SET "value" = "value" - 978307200"#),
    ])
    _ = try SQLiteRepository<Typed<Date>>(second, table: "other \"thing")
  }

  @Test func `A table that an app makes by hand needs the collation of decimals`() async throws {
    try await database.write { db in
      try db.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, value TEXT NOT NULL)")
    }
    let error = #expect(throws: SQLiteError.self) { try self.things(Decimal.self) }
    #expect(error?.code == .schemaMismatch)
    try await database.write { db in
      try db.execute("DROP TABLE thing")
      try db.execute(
        """
        CREATE TABLE thing (id INTEGER PRIMARY KEY, value TEXT NOT NULL COLLATE evocation_decimal)
        """)
    }
    let things = try self.things(Decimal.self)
    try await things.store([.init(id: 1, value: 10), .init(id: 2, value: 9)])
    #expect(try await things.find(Criteria.Key("value") > 9).value.map(\.id) == [1])
  }

  @Test func `A file in which no types are remembered is taken to be right`() async throws {
    let folder = try TemporaryFolder()
    let first = try SQLiteDatabase(path: folder.path())
    _ = try SQLiteRepository<Typed<Double>>(first, table: "thing")
    try await first.write { try $0.execute("DELETE FROM evocation_columns") }
    await first.close()
    let second = try SQLiteDatabase(path: folder.path())
    _ = try SQLiteRepository<Typed<Date>>(second, table: "thing")
    await second.close()
    let third = try SQLiteDatabase(path: folder.path())
    _ = try SQLiteRepository<Typed<Double>>(third, table: "thing")
  }

  @Test func `A generated column that takes no null wants no value`() async throws {
    try await database.write { db in
      try db.execute(
        """
        CREATE TABLE thing (id INTEGER PRIMARY KEY, value TEXT NOT NULL, size INTEGER NOT NULL AS \
        (length(value)) STORED, twice INTEGER NOT NULL AS (id * 2))
        """)
    }
    let things = try self.things(String.self)
    try await things.store([.init(id: 1, value: "abc")])
    #expect(try await things.find(Criteria()).value.map(\.value) == ["abc"])
  }

  @Test(arguments: [false, true])
  func `A table that was renamed has each index once`(isUnique: Bool) async throws {
    let folder = try TemporaryFolder()
    let first = try SQLiteDatabase(path: folder.path())
    _ = try SQLiteRepository<Car>(first, indexes: ["year", "owner.city"])
    await first.close()
    let second = try SQLiteDatabase(path: folder.path())
    try second.migrate([SQLiteMigration("rename", "ALTER TABLE car RENAME TO auto")])
    try await second.write { try $0.execute("CREATE INDEX own ON auto (year)") }
    _ = try SQLiteRepository<Car>(
      second, table: "auto",
      indexes: [SQLiteIndex("year", isUnique: isUnique), "owner.city"])
    let names = try await second.read { db in
      try db.rows(
        "SELECT name FROM sqlite_schema WHERE tbl_name = 'auto' AND type = 'index' ORDER BY 1")
    }
    #expect(
      names.map(\.values) == [
        [.text("auto(owner.city)")], [.text("auto(year)")], [.text("own")],
      ])
  }
}
