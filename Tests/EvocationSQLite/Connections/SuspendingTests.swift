import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite(.patient) struct SuspendingTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>
  private let gate = ThreadGate()

  /// Counts for so long that only an interruption ends it.
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    cars = try SQLiteRepository<Car>(database)
    try await cars.store([Car(id: 1, name: "a")])
    _ = try await cars.findOne(["id": 1])
  }

  /// Whether a call is refused because the database is suspended.
  private func isSuspended(_ call: () async throws -> Void) async throws -> Bool {
    do {
      try await call()
      return false
    } catch let error as SQLiteError where error.code == .suspended {
      return true
    }
  }

  @Test func `While it is suspended every call fails at once, and after resuming none does`()
    async throws
  {
    await database.suspend()
    let error = await #expect(throws: SQLiteError.self) {
      try await cars.storeOne(Car(id: 2, name: "b"))
    }
    #expect(error?.failureKind == .transient)
    #expect(
      error?.description
        == "The call failed: the database is suspended while your app is not active; call "
        + "resume() and try again.")
    #expect(try await isSuspended { _ = try await cars.store([Car(id: 2, name: "b")]) })
    #expect(try await isSuspended { _ = try await cars.findOne(["id": 1]) })
    #expect(try await isSuspended { _ = try await cars.find(Criteria()) })
    #expect(try await isSuspended { _ = try await cars.stream().first { _ in true } })
    #expect(try await isSuspended { _ = try SQLiteRepository<Car>(database) })
    await database.suspend()
    database.resume()
    database.resume()
    try await cars.storeOne(Car(id: 2, name: "b"))
    #expect(try await cars.findOne(["id": 2]).value?.name == "b")
    #expect(try await cars.find(Criteria()).value.count == 2)
    #expect(try await cars.stream().first { _ in true }?.id == 1)
  }

  @Test func `What runs is interrupted and undone, and what waits is refused`() async throws {
    let (database, cars, gate) = (database, cars, gate)
    let writing = Task {
      try await database.write { db in
        try db.execute("DELETE FROM car")
        gate.arrive()
        _ = try db.rows(Self.endless)
      }
    }
    await gate.waitForArrival()
    let waiting = Task { try await cars.store([Car(id: 3, name: "c")]) }
    await database.suspend()
    #expect(try await isSuspended { try await writing.value })
    #expect(try await isSuspended { _ = try await waiting.value })
    database.resume()
    #expect(try await cars.find(Criteria()).value.map(\.id) == [1])
  }

  @Test func `A closure that is not in a statement is waited for, and does not commit`()
    async throws
  {
    let (database, gate, isOver) = (database, gate, Lock(false))
    let writing = Task {
      try await database.write { db in
        try db.execute("DELETE FROM car")
        gate.arrive()
        gate.waitForRelease()
        isOver.withLock { $0 = true }
      }
    }
    await gate.waitForArrival()
    async let suspended: Void = database.suspend()
    try await eventually("it begins") {
      try await isSuspended { _ = try await cars.findOne(["id": 1]) }
    }
    gate.release()
    await suspended
    #expect(isOver.withLock { $0 })
    #expect(try await isSuspended { try await writing.value })
    database.resume()
    #expect(try await cars.find(Criteria()).value.map(\.id) == [1])
  }

  #if os(macOS) || os(Linux)
    @Test func `A half-read stream keeps no lock of the file, and ends with an error`() async throws
    {
      try await cars.store((2..<1_000).map { Car(id: $0, name: "a") })
      var stream = cars.stream().makeAsyncIterator()
      #expect(try await stream.next()?.id == 1)
      await database.suspend()
      let other = try await OtherProcess(folder.path(), timeout: 0)
      // It empties the log only where nobody reads from it.
      #expect(try await other.run("PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("done [(0, 0, 0)]"))
      database.resume()
      #expect(
        try await isSuspended {
          while try await stream.next() != nil {}
        })
    }
  #endif

  @Test func `The app's activity suspends it, and resumes it before the first call`() async throws {
    let activity = ManualActivity(isActive: true)
    let suspending = database.suspend(with: activity)
    await activity.listeners(1)
    for id in 2...20 {
      activity.resignActive()
      try await eventually("it is suspended") {
        try await isSuspended { _ = try await cars.findOne(["id": 1]) }
      }
      activity.becomeActive()
      try await cars.storeOne(Car(id: id, name: "b"))
    }
    activity.resignActive()
    try await eventually("it is suspended") {
      try await isSuspended { _ = try await cars.findOne(["id": 1]) }
    }
    suspending.cancel()
    #expect(try await cars.find(Criteria()).value.count == 20)
  }

  /// The system, as far as it gives a process time.
  private final class TimeGiver: Sendable {
    /// What to call when the time is over; nil for time that was ended.
    private let given = Lock<[(@Sendable () -> Void)?]>([])

    var count: Int { given.withLock(\.count) }
    var isAsked: Bool { given.withLock { $0.contains { $0 != nil } } }

    func ask(_ isOver: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
      let number = given.withLock { given in
        given.append(isOver)
        return given.count - 1
      }
      return { [self] in given.withLock { $0[number] = nil } }
    }

    func expire() {
      for isOver in given.withLock({ $0 }) { isOver?() }
    }
  }

  @Test func `An app that never becomes active is suspended when the system's time is over`()
    async throws
  {
    let (activity, time) = (ManualActivity(), TimeGiver())
    let suspending = database.suspend(with: activity, asking: time.ask)
    #expect(time.isAsked)
    try await cars.storeOne(Car(id: 2, name: "b"))
    time.expire()
    try await eventually("the system need not wait any more") { !time.isAsked }
    #expect(try await isSuspended { _ = try await cars.findOne(["id": 1]) })
    // The next task in the background, whose end the app says.
    database.resume()
    #expect(time.isAsked && time.count == 2)
    try await cars.storeOne(Car(id: 3, name: "c"))
    await database.suspend()
    #expect(!time.isAsked)
    database.resume()
    activity.becomeActive()
    try await eventually("the activity says when it ends") { !time.isAsked }
    activity.resignActive()
    try await eventually("it is suspended") {
      try await isSuspended { _ = try await cars.findOne(["id": 1]) }
    }
    database.resume()
    #expect(!time.isAsked && time.count == 3)
    #expect(try await cars.count() == 3)
    suspending.cancel()
  }

  @Test func `No time is asked for where the activity is known, nor kept where nobody observes it`()
    async throws
  {
    let time = TimeGiver()
    for isActive in [true, false] {
      database.suspend(with: ManualActivity(isActive: isActive), asking: time.ask).cancel()
    }
    #expect(time.count == 0)
    database.suspend(with: ManualActivity(), asking: time.ask).cancel()
    #expect(time.count == 1 && !time.isAsked)
    var other: SQLiteDatabase? = try SQLiteDatabase(path: folder.path("other.sqlite"))
    let suspending = other?.suspend(with: ManualActivity(), asking: time.ask)
    other = nil
    #expect(time.isAsked)
    time.expire()
    try await eventually("the system need not wait for a database that is gone") { !time.isAsked }
    suspending?.cancel()
  }

  @Test func `Closing a suspended database closes it, and memory is never suspended`() async throws
  {
    await database.suspend()
    await database.close()
    let error = await #expect(throws: SQLiteError.self) { try await cars.find(Criteria()) }
    #expect(error?.code == .closed)
    database.resume()
    let memory = try SQLiteDatabase.inMemory()
    await memory.suspend()
    try await SQLiteRepository<Car>(memory).storeOne(Car(id: 1, name: "a"))
  }
}
