import Dispatch
import Evocation
import EvocationSQLite
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// A query of the app's own over several models, observed.
@Suite(.patient) struct ObservedQueryTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>
  private let trips: SQLiteRepository<Trip>

  private struct Trip: Codable, Identifiable {
    var id: Int
    var car: Int
    var km: Double
  }

  /// A model without a repository.
  private struct Wheel: Codable, Identifiable {
    var id: Int
  }

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    cars = try SQLiteRepository<Car>(database)
    trips = try SQLiteRepository<Trip>(database)
    try await cars.store([Car(id: 1, name: "a"), Car(id: 2, name: "b")])
  }

  /// The kilometers of each car, by its name.
  private func distances() -> some AsyncSequence<[[Criteria.Scalar]], any Error> & Sendable {
    database.observe([Car.self, Trip.self]) { db in
      try db.rows(
        "SELECT name, total(km) FROM car LEFT JOIN trip ON trip.car = car.id GROUP BY car.id"
      ).map(\.values)
    }
  }

  private func rows(_ kilometers: KeyValuePairs<String, Double>) -> [[Criteria.Scalar]] {
    kilometers.map { [.text($0), .real($1)] }
  }

  private func failure(of answers: inout some AsyncIteratorProtocol) async -> SQLiteError? {
    do {
      _ = try await answers.next(isolation: #isolation)
      return nil
    } catch {
      return error as? SQLiteError
    }
  }

  @Test func `A copy of an iterator ends with the other`() async throws {
    var answers = database.observe([Wheel.self]) { _ in 1 }.makeAsyncIterator()
    var copy = answers
    #expect(await failure(of: &answers)?.code == .misuse)
    #expect(try await copy.next() == nil)
  }

  @Test func `It answers at once, and again after each commit on one of its models`() async throws {
    var answers = distances().makeAsyncIterator()
    #expect(try await answers.next() == rows(["a": 0, "b": 0]))
    try await trips.storeOne(Trip(id: 1, car: 1, km: 5))
    #expect(try await answers.next() == rows(["a": 5, "b": 0]))
    try await cars.updateOne(Car(id: 2, name: "c"))
    #expect(try await answers.next() == rows(["a": 5, "c": 0]))
    try await database.write { _ = try $0.execute("UPDATE trip SET km = 7") }
    #expect(try await answers.next() == rows(["a": 7, "c": 0]))
    try await trips.remove([Trip(id: 1, car: 1, km: 0)])
    #expect(try await answers.next() == rows(["a": 0, "c": 0]))
  }

  @Test func `A commit on another model asks nothing, and many commits are one answer`()
    async throws
  {
    let count = Lock(0)
    let answers = database.observe([Trip.self]) { db in
      count.withLock { $0 += 1 }
      return try db.rows("SELECT id FROM trip").count
    }
    var iterator = answers.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    for id in 3...20 { try await cars.storeOne(Car(id: id, name: "x")) }
    for id in 1...20 { try await trips.storeOne(Trip(id: id, car: 1, km: 1)) }
    #expect(try await iterator.next() == 20)
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `It waits while the database is suspended, and ends when it is closed`() async throws {
    var answers = distances().makeAsyncIterator()
    #expect(try await answers.next() == rows(["a": 0, "b": 0]))
    try await trips.storeOne(Trip(id: 1, car: 1, km: 5))
    await database.suspend()
    async let resumed: Void = { [database] in database.resume() }()
    #expect(try await answers.next() == rows(["a": 5, "b": 0]))
    await resumed
    await database.close()
    let error = await failure(of: &answers)
    #expect(error?.code == .closed)
    #expect(try await answers.next() == nil)
  }

  @Test func `A model without a repository is told, and so is SQL that fails`() async throws {
    var unknown = database.observe([Car.self, Wheel.self]) { _ in 1 }.makeAsyncIterator()
    let error = await failure(of: &unknown)
    #expect(error?.code == .misuse)
    #expect(
      error?.description
        == "Observing Wheel in \"\(folder.path())\" failed: no repository of Wheel uses the "
        + "database; create it before you observe.")
    #expect(try await unknown.next() == nil)
    var wrong = database.observe([Car.self]) { try $0.rows("SELECT nothing FROM car") }
      .makeAsyncIterator()
    #expect(await failure(of: &wrong) != nil)
    #expect(try await wrong.next() == nil)
  }

  @Test func `A canceled task ends its loop`() async throws {
    let database = database
    let loop = Task {
      let distances = database.observe { db in
        try db.rows(
          "SELECT name, total(km) FROM car LEFT JOIN trip ON trip.car = car.id GROUP BY car.id")
      }
      for try await rows in distances {
        print(rows.map(\.values))
      }
    }
    await Task.yield()
    loop.cancel()
    _ = await loop.result
  }

  /// The rows of a query of several tables, without the types of their models.
  private func answers(
    _ sql: String
  ) -> some AsyncSequence<[[Criteria.Scalar]], any Error> & Sendable {
    database.observe { try $0.rows(sql).map(\.values) }
  }

  @Test(arguments: [
    "SELECT km FROM trip", "SELECT km FROM long", "SELECT (SELECT km FROM trip)",
    "WITH t AS (SELECT km FROM trip) SELECT km FROM t",
    "SELECT km FROM car JOIN TRIP ON trip.car = car.id",
  ])
  func `It observes what its statements read, without types`(sql: String) async throws {
    try await trips.storeOne(Trip(id: 1, car: 1, km: 5))
    try await database.write { _ = try $0.execute("CREATE VIEW long AS SELECT km FROM trip") }
    // A statement that is prepared already gives its tables too.
    _ = try await database.read { try $0.rows(sql).count }
    var answers = answers(sql).makeAsyncIterator()
    #expect(try await answers.next() == [[.real(5)]])
    try await trips.updateOne(Trip(id: 1, car: 1, km: 7))
    #expect(try await answers.next() == [[.real(7)]])
  }

  @Test func `It notices a type that was forgotten`() async throws {
    var answers = database.observe([Car.self]) { try $0.rows("SELECT count(*) FROM trip") }
      .makeAsyncIterator()
    #expect(try await answers.next()?.first?.values == [.integer(0)])
    try await trips.storeOne(Trip(id: 1, car: 1, km: 5))
    #expect(try await answers.next()?.first?.values == [.integer(1)])
  }

  @Test func `It observes a table without a repository, and one that gets it later`() async throws {
    try await database.write { db in
      try db.execute("CREATE TABLE wheel (id INTEGER PRIMARY KEY NOT NULL)")
      try db.execute(
        "CREATE TRIGGER adds AFTER INSERT ON trip BEGIN INSERT INTO wheel VALUES (NEW.id); END")
    }
    var answers = answers("SELECT count(*) FROM wheel").makeAsyncIterator()
    #expect(try await answers.next() == [[.integer(0)]])
    try await trips.storeOne(Trip(id: 1, car: 1, km: 5))
    #expect(try await answers.next() == [[.integer(1)]])
    try await database.write { _ = try $0.execute("INSERT INTO wheel VALUES (2)") }
    #expect(try await answers.next() == [[.integer(2)]])
    let wheels = try SQLiteRepository<Wheel>(database)
    #expect(try await answers.next() == [[.integer(2)]])
    try await wheels.storeOne(Wheel(id: 3))
    #expect(try await answers.next() == [[.integer(3)]])
  }

  @Test func `It misses no commit between its first read and the observation`() async throws {
    let (database, trips, isFirst) = (database, trips, Lock(true))
    let answers = database.observe { db in
      let count = try db.rows("SELECT id FROM trip").count
      if isFirst.withLock({ first in (first, first = false).0 }) {
        let isWritten = DispatchSemaphore(value: 0)
        Task.detached {
          try await trips.storeOne(Trip(id: 1, car: 1, km: 5))
          isWritten.signal()
        }
        isWritten.wait()
      }
      return count
    }
    var iterator = answers.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    #expect(try await iterator.next() == 1)
  }

  #if os(macOS) || os(Linux)
    @Test func `It answers again after a commit of another process`() async throws {
      var answers = distances().makeAsyncIterator()
      #expect(try await answers.next() == rows(["a": 0, "b": 0]))
      let other = try await OtherProcess(folder.path())
      try await other.run("INSERT INTO trip VALUES (1, 2, 3)")
      var answer = try await answers.next()
      // The start of the observation may have counted as a change.
      while answer == rows(["a": 0, "b": 0]) { answer = try await answers.next() }
      #expect(answer == rows(["a": 0, "b": 3]))
    }
  #endif
}
