#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import Fixtures
  import Foundation
  import TestTraits
  import Testing

  /// Files that may be read and not written, by a user who is held to that.
  @Suite(.patient) struct UnwritableTests {
    private let folder: TemporaryFolder
    private let path: String

    init() async throws {
      folder = try TemporaryFolder()
      path = folder.path()
    }

    /// What a child says that opens the file as somebody who is not root; nil where there is none.
    private func saidByOpening(_ path: String, _ mode: String = "open") async throws -> String? {
      guard geteuid() == 0 else { return try await Child.start(mode, path).text }
      let text = try await Child.shell(
        "exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$0\" \"$2\" \"$1\"", path, mode
      ).text
      guard text.contains(path) || text == "opened\n" || text.hasPrefix("[") else {
        print("Not tested, because root may write everything, and no other user can run: \(text)")
        return nil
      }
      return text
    }

    private func setRights(_ rights: Int, _ path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
    }

    private func makeDatabase(_ name: String? = nil) async throws -> Data {
      let path = name ?? path
      let database = try SQLiteDatabase(path: path)
      try await database.write { _ = try $0.execute("CREATE TABLE t AS SELECT 1 AS a") }
      await database.close()
      return try Data(contentsOf: URL(filePath: path))
    }

    @Test(arguments: [0o444, 0o666])
    func `A file that cannot be written, or its folder, is refused and left alone`(
      rights: Int
    ) async throws {
      let content = try await makeDatabase()
      try setRights(rights, path)
      try setRights(0o555, folder.url.path)
      defer { try? setRights(0o755, folder.url.path) }
      guard let said = try await saidByOpening(path) else { return }
      #expect(
        said == "Opening the database in \"\(path)\" failed: SQLite cannot write the database; "
          + "check the permissions of the file and its folder.\n")
      #expect(try Data(contentsOf: URL(filePath: path)) == content)
      try setRights(0o755, folder.url.path)
      let opened = try SQLiteDatabase(path: path)
      #expect(try await opened.read { try $0.rows("SELECT * FROM t").count } == 1)
    }

    private var files: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test(arguments: ["cars.db", "100% sure?#1 ä.db"])
    func `A file that cannot be written is read, and nothing is created beside it`(
      name: String
    ) async throws {
      let path = folder.path(name)
      let content = try await makeDatabase(path)
      try setRights(0o444, path)
      try setRights(0o555, folder.url.path)
      defer { try? setRights(0o755, folder.url.path) }
      guard let said = try await saidByOpening(path, "read") else { return }
      #expect(said == "[[Evocation.Criteria.Scalar.integer(1)]]\n")
      #expect(try files == [name])
      #expect(try Data(contentsOf: URL(filePath: path)) == content)
    }

    @Test func `A log that cannot be read there is told`() async throws {
      let database = try SQLiteDatabase(path: path)
      try await database.write { _ = try $0.execute("CREATE TABLE t AS SELECT 1 AS a") }
      let copy = folder.path("copied")
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + end, toPath: copy + "/x" + end)
      }
      await database.close()
      try setRights(0o555, copy)
      defer { try? setRights(0o755, copy) }
      guard let said = try await saidByOpening(copy + "/x", "read") else { return }
      #expect(
        said
          == "Opening the database in \"\(copy)/x\" failed: it has a log beside it, which cannot "
          + "be read in a folder that cannot be written; close the database where it is written, and "
          + "copy it again.\n")
    }

    @Test func `A folder that takes no file is told`() async throws {
      try setRights(0o555, folder.url.path)
      defer { try? setRights(0o755, folder.url.path) }
      guard let said = try await saidByOpening(path) else { return }
      #expect(
        said == "Opening the database in \"\(path)\" failed: SQLite cannot open the file; check "
          + "that its folder exists and is writable.\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
  }
#endif
