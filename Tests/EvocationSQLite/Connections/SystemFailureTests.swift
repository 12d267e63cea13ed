#if os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import class Fixtures.ChildProcess
  import Foundation
  import TestTraits
  import Testing

  /// What the system refuses is told as what it is, with what to do about it.
  @Suite(.patient) struct SystemFailureTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.path()
    }

    private static let disk =
      "the system failed to read or write the file (Input/output error); try again, and check the "
      + "disk if it fails again."
    private static let files =
      "this process has reached its limit of open files; close some, or raise the limit, and try "
      + "again."
    private static let full = "the disk is full; free space and try again."

    private func makeDatabase() async throws {
      let database = try SQLiteDatabase(path: path)
      let cars = try SQLiteRepository<Car>(database)
      try await cars.store((0..<1000).map { Car(id: $0, name: "name \($0)") })
      await database.close()
    }

    @Test(arguments: [
      (EIO, SQLiteError.Code.diskFailed, disk), (EMFILE, .cannotOpen, files),
      (ENOSPC, .full, full),
    ])
    func `A file that is there and does not open is told with the system's reason`(
      number: Int32, code: SQLiteError.Code, sentence: String
    ) async throws {
      try await makeDatabase()
      // Once, SQLite opens it to read then; and always.
      for times in [1, .max] {
        FailingSystem.fail(.open, path, with: number, times: times)
        let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
        FailingSystem.mend(path)
        #expect(error?.code == code)
        #expect(error?.description == "Opening the database in \"\(path)\" failed: \(sentence)")
        #expect(error?.failureKind == (code == .full ? .permanent : .transient))
      }
      let database = try SQLiteDatabase(path: path)
      #expect(try await database.check().isEmpty)
    }

    @Test(arguments: [EIO, EMFILE, ENOSPC])
    func `A file that cannot be made for a moment is not blamed on its folder`(
      number: Int32
    ) throws {
      FailingSystem.fail(.open, path, with: number, times: 1)
      let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
      FailingSystem.mend(path)
      #expect(
        error?.description
          == "Opening the database in \"\(path)\" failed: SQLite could not create a file there, "
          + "but now it can; try again.")
      #expect(error?.failureKind == .transient)
      _ = try SQLiteDatabase(path: path)
    }

    @Test(arguments: ["-wal", "-shm"])
    func `A log that cannot be opened is told with the system's reason`(end: String) async throws {
      try await makeDatabase()
      FailingSystem.fail(.open, path + end, with: EMFILE)
      let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
      FailingSystem.mend(path + end)
      #expect(error?.description == "Opening the database in \"\(path)\" failed: \(Self.files)")
    }

    @Test func `One read that fails is no damage, and the next goes well`() async throws {
      try await makeDatabase()
      let database = try SQLiteDatabase(path: path)
      let cars = try SQLiteRepository<Car>(database)
      // Opens the connection that reads, which then has little of the table in memory.
      #expect(try await cars.findOne(["id": 0]).value != nil)
      FailingSystem.fail(.read, path, with: EIO, times: 1)
      let find = await #expect(throws: SQLiteError.self) { try await cars.find(Criteria()) }
      #expect(find?.code == .diskFailed)
      #expect(
        find?.description == "Reading the table \"car\" in \"\(path)\" failed: \(Self.disk)")
      #expect(find?.failureKind == .transient)
      #expect(try await cars.find(Criteria()).value.count == 1000)
    }

    @Test(arguments: SQLiteDatabase.IntegrityCheck.allCases)
    func `A check that could not read a page tells of no damage`(
      extent: SQLiteDatabase.IntegrityCheck
    ) async throws {
      try await makeDatabase()
      let database = try SQLiteDatabase(path: path)
      #expect(try await database.check(extent).isEmpty)
      // The head of the file, and then pages that the check itself reads.
      for skipped in 0..<8 {
        FailingSystem.fail(.read, path, with: EIO, after: skipped, times: 1)
        let error = await #expect(throws: SQLiteError.self, "\(skipped)") {
          try await database.check(extent)
        }
        FailingSystem.mend(path)
        #expect(
          error?.description == "Checking the database in \"\(path)\" failed: \(Self.disk)")
        #expect(try await database.check(extent).isEmpty)
      }
    }

    @Test func `A read that fails while a file is opened is no damage, and leaves it as it was`()
      async throws
    {
      try await makeDatabase()
      let content = try Data(contentsOf: URL(filePath: path))
      FailingSystem.fail(.read, path, with: EIO)
      let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
      FailingSystem.mend(path)
      #expect(error?.code == .diskFailed)
      #expect(error?.description == "Opening the database in \"\(path)\" failed: \(Self.disk)")
      #expect(try Data(contentsOf: URL(filePath: path)) == content)
    }

    @Test func `Damage that is found after a read failed is still damage`() async throws {
      try await makeDatabase()
      var content = try Data(contentsOf: URL(filePath: path))
      // The table is the last that was made.
      content.replaceSubrange(
        content.count - 4096..<content.count, with: repeatElement(0xAA, count: 4096))
      try content.write(to: URL(filePath: path))
      let database = try SQLiteDatabase(path: path)
      errno = EIO
      let error = await #expect(throws: SQLiteError.self) {
        try await SQLiteRepository<Car>(database).find(Criteria())
      }
      #expect(error?.code == .damaged)
      #expect(try await database.check().isEmpty == false)
    }

    @Test func `A process without a free file says so, and goes on when it has one`() async throws {
      let text = try await Child.shell("ulimit -n 200; exec \"$0\" files \"$1\"", path).text
      #expect(
        text.split(separator: "\n") == [
          "Opening the database in \"\(path).new\" failed: \(Self.files)",
          "Opening the database in \"\(path)\" failed: \(Self.files)",
          "Opening the database in \"\(path)\" failed: \(Self.files)",
          "goes on",
        ])
    }

    @Test func `A disk that has no room for another file is full`() async throws {
      let text = try await Child.shell(
        """
        exec unshare --mount --map-root-user sh -c '
          mount -t tmpfs -o nr_inodes=2 none "$1" || exit 1
          touch "$1/taken"
          exec "$0" open "$1/x"
        ' "$0" "$1"
        """, folder.url.path
      ).text
      guard text.hasPrefix("Opening") || text == "opened\n" else {
        print("Not tested, because no file system can be mounted here: \(text)")
        return
      }
      #expect(
        text == "Opening the database in \"\(folder.path("x"))\" failed: \(Self.full)\n")
    }
  }
#endif
