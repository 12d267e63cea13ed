import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// The same model as versions of an app may have it.
private enum Version {
  struct First: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var name: String
  }

  struct Second: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var name: String
    var year: Int?
    var price: Decimal?
    var owner: Owner?
    var tags: [String] = ["none"]
    var wheels = 4

    struct Owner: Codable, Sendable, Equatable { var city: String }
  }

  struct Required: Codable, Identifiable, Sendable {
    var id: Int
    var name: String
    var year: Int
  }
}

extension Version.Second {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    year = try container.decodeIfPresent(Int.self, forKey: .year)
    price = try container.decodeIfPresent(Decimal.self, forKey: .price)
    owner = try container.decodeIfPresent(Owner.self, forKey: .owner)
    tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? ["none"]
    wheels = container.contains(.wheels) ? try container.decode(Int.self, forKey: .wheels) : 4
  }
}

@Suite(.patient) struct NewPropertyTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  private func writeFirst() async throws {
    let database = try SQLiteDatabase(path: path)
    let first = try SQLiteRepository<Version.First>(database, table: "car")
    try await first.store([.init(id: 1, name: "a"), .init(id: 2, name: "b")])
    await database.close()
  }

  @Test func `New optional and defaulted properties become columns, and old rows lack them`()
    async throws
  {
    try await writeFirst()
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Version.Second>(database, table: "car")
    #expect(
      try await cars.find(Criteria()).value == [
        .init(id: 1, name: "a"), .init(id: 2, name: "b"),
      ])
    let new = Version.Second(
      id: 3, name: "c", year: 2002, price: 1.5, owner: .init(city: "x"), tags: [], wheels: 3)
    _ = try await cars.storeOne(new)
    #expect(try await cars.find(Criteria.Key("price") == 1.5).value == [new])
    #expect(try await cars.find(["wheels": 4]).value.map(\.id) == [1, 2])
    #expect(try await cars.find(Criteria.Key("tags").contains("none")).value.map(\.id) == [1, 2])
    #expect(try await cars.find(Criteria.Key("year").isNull).value.map(\.id) == [1, 2])
    let sql = try await database.read { db in
      try db.rows("SELECT sql FROM sqlite_schema WHERE name = 'car'").first?["sql"]
    }
    #expect(
      sql
        == .text(
          #"CREATE TABLE "car" ("id" INTEGER NOT NULL, "name" TEXT NOT NULL, "#
            + #""year" INTEGER, "price" TEXT COLLATE evocation_decimal, "owner" TEXT, "#
            + #""tags" TEXT, "wheels" INTEGER, PRIMARY KEY ("id"))"#))
  }

  @Test func `A table that has no room for another column is told, and stays as it was`()
    async throws
  {
    let database = try SQLiteDatabase(path: path)
    // SQLite takes 2000 columns.
    let others = (3...2000).map { "c\($0)" }.joined(separator: ", ")
    try await database.write { db in
      try db.execute("CREATE TABLE car (id INTEGER NOT NULL PRIMARY KEY, name TEXT, \(others))")
    }
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Version.Second>(database, table: "car")
    }
    #expect(error?.code == .misuse)
    #expect(
      error?.description
        == "Adding a column to the table \"car\" in \"\(path)\" failed: too many columns on "
        + "sqlite_altertab_car.")
    let columns = try await database.read { try $0.rows("PRAGMA table_info(car)").count }
    #expect(columns == 2000)
  }

  @Test func `A default is written into all rows there, whatever their key`() async throws {
    struct Old: Codable, Identifiable, Sendable { var id: String }
    struct New: Codable, Identifiable, Sendable {
      var id: String
      var size: String

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        size =
          try container.decodeIfPresent(String.self, forKey: .size)
          ?? String(repeating: id, count: 100)
      }
    }
    let database = try SQLiteDatabase(path: path)
    let old = try SQLiteRepository<Old>(database, table: "rows")
    try await old.store((0..<3000).map { Old(id: "\($0)") })
    await database.close()
    let second = try SQLiteDatabase(path: path)
    let new = try SQLiteRepository<New>(second, table: "rows", indexes: ["size"])
    let rows = try await second.read { db in
      try db.rows("SELECT count(DISTINCT size), min(length(size)), max(length(size)) FROM rows")
    }
    #expect(rows.map(\.values) == [[.integer(3000), .integer(100), .integer(400)]])
    let size = String(repeating: "77", count: 100)
    #expect(try await new.find(["size": size]).value.map(\.id) == ["77"])
  }

  @Test func `The app before goes on with the table, and leaves the new columns alone`()
    async throws
  {
    try await writeFirst()
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Version.Second>(database, table: "car")
    try await cars.storeOrUpdate([.init(id: 1, name: "a", year: 2002)])
    await database.close()
    let older = try SQLiteDatabase(path: path)
    let first = try SQLiteRepository<Version.First>(older, table: "car")
    try await first.storeOrUpdate([.init(id: 1, name: "z"), .init(id: 5, name: "e")])
    let rows = try await older.read { try $0.rows("SELECT name, year FROM car WHERE id <> 2") }
    #expect(rows.map(\.values) == [[.text("z"), .integer(2002)], [.text("e"), .null]])
  }

  @Test func `A new property that rows cannot do without is refused, and the table left alone`()
    async throws
  {
    try await writeFirst()
    let content = try Data(contentsOf: URL(filePath: path))
    let database = try SQLiteDatabase(path: path)
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Version.Required>(database, table: "car")
    }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.description == """
        Using the table "car" of "\(path)" for Required failed: its columns differ: "year" is \
        missing, and the existing rows have no value for it (make it optional, give it a \
        default, or add it in a migration); use another name with table:, or change the table in \
        a migration.
        """)
    await database.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == content)
  }

  @Test func `A new property that rows cannot do without is added while there are none`()
    async throws
  {
    let database = try SQLiteDatabase(path: path)
    _ = try SQLiteRepository<Version.First>(database, table: "car")
    await database.close()
    let second = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Version.Required>(second, table: "car")
    _ = try await cars.storeOne(.init(id: 1, name: "a", year: 2002))
    #expect(try await cars.find(["year": 2002]).value.map(\.id) == [1])
    let columns = try await second.read { db in
      try db.rows("SELECT name, \"notnull\" FROM pragma_table_info('car')").map(\.values)
    }
    #expect(columns.last == [.text("year"), .integer(1)])
  }

  @Test func `A new part of the key is refused`() async throws {
    let database = try SQLiteDatabase(path: path)
    _ = try SQLiteRepository<Version.First>(database, table: "car")
    await database.close()
    let second = try SQLiteDatabase(path: path)
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Version.Required>(second, table: "car", key: ["id", "year"])
    }
    #expect(
      error?.description.contains("\"year\" is missing, and part of the primary key;") == true)
  }

  @Test func `Of several that open an old file at once, one adds the columns`() async throws {
    try await writeFirst()
    let path = path
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let database = try SQLiteDatabase(path: path)
          let cars = try SQLiteRepository<Version.Second>(database, table: "car")
          return try await cars.find(Criteria()).value.count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 2, count: 8))
  }
}
