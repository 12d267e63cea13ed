#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import class Fixtures.ChildProcess
  import Foundation
  import TestTraits
  import Testing

  /// What another process, and no library of this one, may do to a file.
  @Suite(.patient) struct OtherProcessTests {
    private let folder: TemporaryFolder
    private let path: String
    private let database: SQLiteDatabase
    private let cars: SQLiteRepository<Car>

    init() async throws {
      folder = try TemporaryFolder()
      path = folder.path()
      var configuration = SQLiteDatabase.Configuration()
      configuration.busyTimeout = .milliseconds(50)
      database = try SQLiteDatabase(path: path, configuration: configuration)
      cars = try SQLiteRepository<Car>(database)
      try await cars.store([Car(id: 1, name: "a")])
    }

    /// Starts a process that holds the file until it is ended.
    private func holder(_ path: String, _ statements: String...) async throws -> ChildProcess {
      let script = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        for statement in sys.argv[2:]:
            connection.execute(statement).fetchall()
        print("held", flush=True)
        sys.stdin.read()
        """
      let child = try ChildProcess(
        URL(filePath: "/usr/bin/env"), ["python3", "-c", script, path] + statements)
      let said = await child.text { $0.contains("\n") }
      #expect(said == "held\n")
      return child
    }

    @Test func `A write waits for another process until the timeout, and a read does not`()
      async throws
    {
      let holder = try await holder(path, "BEGIN EXCLUSIVE")
      let clock = ContinuousClock()
      let start = clock.now
      for write in [
        { try await cars.store([Car(id: 2, name: "b")]) },
        { try await cars.store((2..<10).map { Car(id: $0, name: "b") }) },
      ] {
        let error = await #expect(throws: SQLiteError.self) { _ = try await write() }
        #expect(error?.code == .busy)
        #expect(error?.failureKind == .transient)
        #expect(
          error?.description == "Beginning a transaction in \"\(path)\" failed: another "
            + "connection kept it busy longer than the timeout; try again, or raise busyTimeout.")
      }
      #expect(clock.now - start >= .milliseconds(100))
      #expect(try await cars.find(Criteria()).value.map(\.name) == ["a"])
      #expect(try await cars.findOne(["id": 1]).value?.name == "a")
      holder.end()
      try await cars.store([Car(id: 2, name: "c")])
      #expect(try await cars.find(Criteria()).value.map(\.name) == ["a", "c"])
    }

    #if os(Linux)
      @Test func `Cancelling ends the wait for another process at once`() async throws {
        var configuration = SQLiteDatabase.Configuration()
        configuration.busyTimeout = .seconds(1000)
        let patient = try SQLiteRepository<Car>(
          SQLiteDatabase(path: path, configuration: configuration))
        let one = { @Sendable in _ = try await patient.store([Car(id: 2, name: "b")]) }
        let many = { @Sendable in
          _ = try await patient.store((2..<10).map { Car(id: $0, name: "b") })
        }
        let checkpoint = { @Sendable in _ = try await patient.database.checkpoint(.truncate) }
        let holder = try await holder(path, "BEGIN EXCLUSIVE")
        for (first, second) in [(one, many), (many, checkpoint), (checkpoint, one)] {
          let refusals = RefusedLocks.on(path + "-shm")
          let waiting = Task { try await first() }
          // The first refusal may be where the caller is; the third comes after a wait in SQLite.
          for await _ in refusals.prefix(3) {}
          let behind = Task { try await second() }
          for task in [waiting, behind] { task.cancel() }
          for task in [waiting, behind] {
            await #expect(throws: CancellationError.self) { try await task.value }
          }
        }
        holder.end()
        #expect(try await patient.find(Criteria()).value.map(\.name) == ["a"])
        try await patient.store([Car(id: 2, name: "c")])
      }
    #endif

    @Test(arguments: [true, false])
    func `A file that another process has to itself is not opened`(isWAL: Bool) async throws {
      let path = folder.path("held.sqlite")
      let holder = try await holder(
        path, "PRAGMA journal_mode = \(isWAL ? "WAL" : "DELETE")",
        "PRAGMA locking_mode = EXCLUSIVE",
        "CREATE TABLE t (a)", "BEGIN EXCLUSIVE", "INSERT INTO t VALUES (1)")
      let content = try Data(contentsOf: URL(filePath: path))
      var configuration = SQLiteDatabase.Configuration()
      configuration.busyTimeout = .milliseconds(50)
      let error = #expect(throws: SQLiteError.self) {
        try SQLiteDatabase(path: path, configuration: configuration)
      }
      #expect(error?.code == .busy)
      #expect(
        error?.description == "Opening the database in \"\(path)\" failed: another process uses "
          + "it alone; close it there, and try again.")
      #expect(try Data(contentsOf: URL(filePath: path)) == content)
      holder.end()
      let opened = try SQLiteDatabase(path: path, configuration: configuration)
      #expect(try await opened.read { try $0.rows("SELECT * FROM t").isEmpty })
    }
  }
#endif
