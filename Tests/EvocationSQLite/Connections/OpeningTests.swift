import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A folder is refused by name`() throws {
    let path = folder.url.path
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.description == "Opening the database in \"\(path)\" failed: the path is a folder; "
        + "pass the path of a file in it.")
  }

  @Test func `A file that is no database is refused and left alone`() throws {
    let path = folder.path()
    let content = Data(
      "This is a letter, and a long one: \(String(repeating: "x", count: 2000))".utf8)
    try content.write(to: URL(filePath: path))
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .notADatabase)
    #expect(
      error?.description == "Opening the database in \"\(path)\" failed: the file is not an "
        + "SQLite database, and Evocation did not change it; use another path.")
    #expect(try Data(contentsOf: URL(filePath: path)) == content)
  }

  @Test(arguments: ["/proc/evocation.sqlite", "/nowhere/at/all.sqlite"])
  func `A file that cannot be made is refused`(path: String) {
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.description
        == "Opening the database in \"\(path)\" failed: SQLite cannot open the file; check that "
        + "its folder exists and is writable.")
  }

  @Test(arguments: [
    "file:x.sqlite", "file:x?mode=memory&cache=shared", "a%20b?c#d", "%00", "ü \u{1F600}",
    ":memory:",
  ])
  func `A path is a path, whatever it looks like`(name: String) async throws {
    let path = folder.path() + name
    let database = try SQLiteDatabase(path: path)
    try await database.write { _ = try $0.execute("CREATE TABLE t AS SELECT 5 AS a") }
    #expect(try await database.read { try $0.rows("SELECT a FROM t").count } == 1)
    try await database.backup(to: path + " copy")
    await database.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["test.sqlite" + name, "test.sqlite" + name + " copy"])
  }

  #if os(macOS) || os(Linux)
    @Test(arguments: ["file:x.sqlite", "file:x?mode=memory&cache=shared", "./x", "x"])
    func `A path that does not begin at the root is that of one file, wherever the process goes`(
      name: String
    ) async throws {
      let text = try await Child.shell(
        "cd \"$1\" && exec \"$0\" move \"$2\"", folder.url.path, name
      ).text
      #expect(text == "has 7\n")
      let gone = try await Child.shell(
        "mkdir \"$1/gone\" && cd \"$1/gone\" && rmdir \"$1/gone\" && exec \"$0\" open \"$2\"",
        folder.url.path, name
      ).text
      #expect(
        gone
          == "Opening the database in \"\(name)\" failed: the folder of this process is gone; pass "
          + "the whole path.\n")
      let file = name.split(separator: "/").last.map(String.init) ?? ""
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
      #expect(names == [file, file + ".copy"])
    }

    @Test func `A pipe and a device are refused, and nobody waits for them`() throws {
      let path = folder.path()
      #expect(mkfifo(path, 0o600) == 0)
      for path in [path, "/dev/null"] {
        let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
        #expect(error?.code == .cannotOpen)
        #expect(
          error?.description
            == "Opening the database in \"\(path)\" failed: the path is a device, a pipe or a "
            + "socket; pass the path of a file.")
      }
    }
  #endif

  @Test(arguments: [300, 600, 5000])
  func `A path that is too long is told`(length: Int) {
    let path = folder.path(String(repeating: length == 300 ? "x" : "x/", count: length))
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.description
        == "Opening the database in \"\(path)\" failed: the path is too long; use a shorter one.")
  }

  @Test func `Links that lead in a circle are told`() throws {
    let path = folder.path()
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(
      error?.description
        == "Opening the database in \"\(path)\" failed: the links of the path form a circle; "
        + "repair them.")
  }

  @Test(arguments: ["", ":memory:", "a\0b"])
  func `A path that names no file is refused`(path: String) {
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .cannotOpen)
  }

  @Test func `A file of a newer format is refused and left alone`() async throws {
    let path = folder.path()
    let database = try SQLiteDatabase(path: path)
    try await database.write { db in
      try db.execute("CREATE TABLE evocation_format (version INTEGER PRIMARY KEY)")
      _ = try db.execute("INSERT INTO evocation_format VALUES (99)")
    }
    await database.close()
    let content = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .newerSchema)
    #expect(try Data(contentsOf: URL(filePath: path)) == content)
  }

  @Test func `A file that is there is opened with what it holds`() async throws {
    let path = folder.path("with ' and \" and ü.sqlite")
    let first = try SQLiteDatabase(path: path)
    try await first.write { _ = try $0.execute("CREATE TABLE t AS SELECT 5 AS a") }
    await first.close()
    let second = try SQLiteDatabase(path: path)
    let rows = try await second.read { try $0.rows("SELECT a FROM t") }
    #expect(rows.map(\.values) == [[.integer(5)]])
  }

  @Test func `The settings reach the connections`() async throws {
    var configuration = SQLiteDatabase.Configuration()
    configuration.synchronous = .full
    configuration.enforcesForeignKeys = false
    let database = try SQLiteDatabase(path: folder.path(), configuration: configuration)
    let found = try await database.write { db in
      try ["synchronous", "foreign_keys", "journal_mode"].map {
        try db.rows("PRAGMA \($0)").first?.values.first
      }
    }
    #expect(found == [.integer(2), .integer(0), .text("wal")])
  }

  @Test
  func `A commit waits for the disk as the configuration says, and by default at a checkpoint`()
    async throws
  {
    typealias Synchronous = SQLiteDatabase.Configuration.Synchronous
    #expect(SQLiteDatabase.Configuration().synchronous == .normal)
    for (synchronous, number) in [Synchronous.off: 0, .normal: 1, .full: 2] {
      let database = try SQLiteDatabase(
        path: folder.path(), configuration: .init(synchronous: synchronous))
      let found = try await database.write { try $0.rows("PRAGMA synchronous").map(\.values) }
      #expect(found == [[.integer(Int64(number))]])
    }
  }

  @Test(arguments: [(nil, 8192), (1 << 20, 1024), (1, 1)] as [(Int?, Int64)])
  func `Each connection keeps as many KiB of pages as the configuration says`(
    size: Int?, kibibytes: Int64
  ) async throws {
    var configuration = SQLiteDatabase.Configuration()
    if let size { configuration.pageCacheSize = size }
    let database = try SQLiteDatabase(path: folder.path(), configuration: configuration)
    // SQLite counts pages, or KiB where the number is negative.
    let pragma = "PRAGMA cache_size"
    #expect(
      try await database.read { try $0.rows(pragma).map(\.values) } == [[.integer(-kibibytes)]])
    #expect(
      try await database.write { try $0.rows(pragma).map(\.values) } == [[.integer(-kibibytes)]])
  }

  @Test func `A damaged file is told from one that is no database`() async throws {
    let path = folder.path()
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store((0..<1000).map { Car(id: $0, name: "\($0)") })
    await database.close()
    var content = try Data(contentsOf: URL(filePath: path))
    content.replaceSubrange(
      4096..<content.count, with: repeatElement(0xAA, count: content.count - 4096))
    try content.write(to: URL(filePath: path))
    let error = await #expect(throws: SQLiteError.self) {
      try await SQLiteRepository<Car>(SQLiteDatabase(path: path)).find(Criteria())
    }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("the file is damaged; restore it from a backup") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == content)
  }
}
