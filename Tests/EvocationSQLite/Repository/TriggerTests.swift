import Evocation
import EvocationSQLite
import TestTraits
import Testing

@testable import SQLiteSupport

/// Triggers that an app has put on a model's table.
@Suite(.patient) struct TriggerTests {
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>

  init() async throws {
    database = try SQLiteDatabase.inMemory()
    cars = try SQLiteRepository<Car>(database)
    try await database.write { db in
      try db.execute(
        "CREATE TRIGGER old BEFORE INSERT ON car WHEN NEW.year < 1990 BEGIN SELECT RAISE(IGNORE); END"
      )
    }
  }

  @Test(arguments: [1, 200])
  func `A model that a trigger left out is told as that, and not as already there`(
    count: Int
  ) async throws {
    let many = (0..<count).map { Car(id: $0, name: "", year: $0 == count / 2 ? 1980 : 2000) }
    let error = await #expect(throws: SQLiteError.self) { try await cars.store(many) }
    #expect(error?.code == .constraint)
    #expect(
      error?.description
        == "Writing the table \"car\" in memory failed: a trigger of the table skipped a model "
        + "with RAISE(IGNORE); let it pass, or say why not with RAISE(ABORT, …).")
    #expect(try await cars.find(Criteria()).value.isEmpty)
  }

  @Test func `A model that is there is still told as there`() async throws {
    try await cars.store([Car(id: 1, name: "", year: 2000)])
    let error = await #expect(throws: EvocationError.self) {
      try await cars.store([Car(id: 1, name: "", year: 2000), Car(id: 2, name: "", year: 2000)])
    }
    guard case .alreadyExists(let ids)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(ids == ["1"])
  }
}
