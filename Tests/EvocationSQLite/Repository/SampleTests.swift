import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// The samples of the documentation, word for word.
@Suite(.patient) struct SampleTests {
  private struct Car: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var year: Int
    var name: String?
    var vin: String?
  }

  @Test func `The samples do what their pages say`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path()
    var configuration = SQLiteDatabase.Configuration()
    configuration.synchronous = .full
    let database = try SQLiteDatabase(path: path, configuration: configuration)
    let cars = try SQLiteRepository<Car>(database, indexes: ["year"])
    try await cars.store([Car(id: 1, year: 2002)])
    let recent = try await cars.find(Criteria.Key("year") >= 2000).value
    #expect(recent.count == 1)
    for try await car in cars.stream(Criteria().sorted(by: "year")) {
      print(car.year)
    }
    let count = try await cars.count(Criteria.Key("year") >= 2000)
    #expect(count == 1)
    let removed = try await cars.removeAll(matching: Criteria.Key("year") < 1990)
    #expect(removed == 0)
    let id = 1
    try await database.write { db in
      try db.execute("UPDATE car SET year = ? WHERE id = ?", [2003, id])
    }
    let names = try await database.read { db in
      try db.rows("SELECT name FROM car WHERE year >= ?", [2000]).map { $0["name"] }
    }
    #expect(names == [.null])
    let copy = folder.path("copy.sqlite")
    try await database.backup(to: copy)
    let problems = try await database.check(.quick)
    #expect(problems.isEmpty)
    let checkpoint = try await database.checkpoint(.truncate)
    #expect(checkpoint.isComplete)
    try await database.vacuum()
    let vin = SQLiteIndex("vin", isUnique: true)
    let indexed = try SQLiteRepository<Car>(database, indexes: ["year", vin])
    #expect(indexed.database === database)
  }

  struct Wheel: SQLiteModel {
    static let table = "wheels"
    static let key: [Criteria.Key] = ["car", "place"]
    static let indexes: [SQLiteIndex] = ["size", .unique("serial")]

    var car: Int
    var place: String
    var size: Double
    var serial: String?
    var id: String { "\(car)/\(place)" }
  }

  @Test func `A model says how its table is made`() async throws {
    let wheels = try SQLiteRepository<Wheel>(SQLiteDatabase.inMemory())
    try await wheels.store([Wheel(car: 1, place: "left", size: 17, serial: nil)])
    #expect(try await wheels.find(["size": 17]).value.map(\.id) == ["1/left"])
  }

  private enum Later {
    struct Car: Codable, Identifiable, Sendable, Equatable {
      var id: Int
      var modelYear: Int
      var name: String?
    }
  }

  @Test func `A renamed property keeps what it held`() async throws {
    typealias Car = Later.Car
    let folder = try TemporaryFolder()
    let path = folder.path()
    let older = try SQLiteDatabase(path: path)
    try await SQLiteRepository<SampleTests.Car>(older).store([.init(id: 1, year: 2002, name: "A")])
    await older.close()
    let database = try SQLiteDatabase(path: path)
    try database.migrate([
      SQLiteMigration("call the model year so", "ALTER TABLE car RENAME COLUMN year TO modelYear")
    ])
    let cars = try SQLiteRepository<Car>(database)
    let migrations = [
      SQLiteMigration("call the model year so", "ALTER TABLE car RENAME COLUMN year TO modelYear"),
      SQLiteMigration("write names in lower case") { db in
        for row in try db.rows("SELECT id, name FROM car") {
          guard case .text(let name)? = row["name"], let id = row["id"] else { continue }
          try db.execute("UPDATE car SET name = ? WHERE id = ?", [name.lowercased(), id])
        }
      },
    ]
    try database.migrate(migrations)
    #expect(try await cars.find(Criteria()).value == [Car(id: 1, modelYear: 2002, name: "a")])
  }

  @Test func `A damaged file is caught by its code`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    var database: SQLiteDatabase?
    do {
      database = try SQLiteDatabase(path: path)
    } catch let error as SQLiteError where error.code == .cannotOpen {
      print(error)
    }
    #expect(database == nil)
  }
}
