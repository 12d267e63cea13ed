import Evocation
import EvocationSQLite
import Foundation
import Testing

/// The samples of the documentation, word for word.
@Suite struct SampleTests {
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
    let id = 1
    try await database.write { db in
      try db.execute("UPDATE car SET year = ? WHERE id = ?", [2003, id])
    }
    let names = try await database.read { db in
      try db.rows("SELECT name FROM car WHERE year >= ?", [2000]).map { $0["name"] }
    }
    #expect(names == [.null])
    for try await car in cars.stream(Criteria().sorted(by: "year")) {
      print(car.year)
    }
    let vin = SQLiteIndex("vin", isUnique: true)
    let indexed = try SQLiteRepository<Car>(database, indexes: ["year", vin])
    #expect(indexed.database === database)
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
