import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Cursors that were made for ids of another length.
@Suite(.patient) struct CursorTests {
  private struct Wheel: SQLiteModel, Equatable {
    static let key: [Criteria.Key] = ["car", "place"]

    var car: Int
    var place: String
    var id: [String] { ["\(car)", place] }
  }

  private static let reason =
    "the cursor was made for another order or id; make one for this order and id"

  private func isRefused<Model>(
    _ cursor: Criteria.Cursor, _ repository: some Repository<Model>
  ) async throws -> Bool {
    do {
      _ = try await repository.find(Criteria().after(cursor))
      return false
    } catch EvocationError.incomparableValue(let key, let reason) {
      return key == "cursor" && reason == Self.reason
    }
  }

  @Test(arguments: [[1, 2], [1, 2, 3]])
  func `An id of another length is refused by memory and SQLite in the same words`(
    id: [Int]
  ) async throws {
    let cursor = Criteria.Cursor(values: [], id: id.map { .integer(Int64($0)) })
    let cars = [Car(id: 1, name: "a"), Car(id: 2, name: "b")]
    // Where there are no models too.
    for cars in [[], cars] {
      let held = try SQLiteRepository<Car>(.inMemory())
      try await held.store(cars)
      #expect(try await isRefused(cursor, held))
      #expect(try await isRefused(cursor, InMemoryRepository(cars)))
    }
  }

  @Test func `An id of several properties is held to as many`() async throws {
    let wheels = [Wheel(car: 1, place: "left"), Wheel(car: 1, place: "right")]
    let held = try SQLiteRepository<Wheel>(.inMemory())
    try await held.store(wheels)
    let memory = InMemoryRepository(wheels)
    for id in [[Criteria.Scalar.text("1")], [.text("1"), .text("left"), .text("")]] {
      let cursor = Criteria.Cursor(values: [], id: id)
      #expect(try await isRefused(cursor, held))
      #expect(try await isRefused(cursor, memory))
    }
    let fitting = Criteria().after(try Criteria().cursor(at: wheels[0]))
    #expect(try await memory.find(fitting).value == [wheels[1]])
  }
}
