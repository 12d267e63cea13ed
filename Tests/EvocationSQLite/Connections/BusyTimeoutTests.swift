import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Busy timeouts of any length.
@Suite(.patient) struct BusyTimeoutTests {
  private static let timeouts: [Duration] = [
    .zero, .seconds(-1), .seconds(Int64.min), .seconds(Int64.max), .seconds(Int64.max) * 18,
    .nanoseconds(1),
  ]

  @Test(arguments: timeouts) func `A file is opened, written and read under any timeout`(
    timeout: Duration
  ) async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(
      path: folder.path(), configuration: .init(busyTimeout: timeout))
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store([Car(id: 1, name: "a", year: 1970)])
    #expect(try await cars.count(Criteria()) == 1)
    await database.close()
  }

  @Test(arguments: timeouts.filter { $0 <= .nanoseconds(1) })
  func `A writer that may not wait is refused at once`(timeout: Duration) async throws {
    let folder = try TemporaryFolder()
    let first = try SQLiteDatabase(path: folder.path())
    let cars = try SQLiteRepository<Car>(first)
    try await cars.store([Car(id: 1, name: "a", year: 1970)])
    let second = try SQLiteDatabase(
      path: folder.path(), configuration: .init(busyTimeout: timeout))
    let others = try SQLiteRepository<Car>(second)
    let gate = ThreadGate()
    let holding = Task {
      try await first.write { _ in
        gate.arrive()
        gate.waitForRelease()
      }
    }
    await gate.waitForArrival()
    let error = await #expect(throws: SQLiteError.self) {
      try await others.store([Car(id: 2, name: "b", year: 1970)])
    }
    #expect(error?.code == .busy)
    gate.release()
    try await holding.value
    await first.close()
    await second.close()
  }
}
