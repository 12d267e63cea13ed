import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct ConnectionStatementsTests {
  private struct Note: Codable, Identifiable, Equatable {
    var id: Int
    var text = ""
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func refusal(_ statements: [String]) throws -> SQLiteError {
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteDatabase(
        path: folder.path(), configuration: .init(connectionStatements: statements))
    }
    return try #require(error)
  }

  private func sentence(_ number: Int, _ rest: String) -> String {
    "Opening the database in \"\(folder.path())\" failed: connection statement \(number) \(rest)"
  }

  @Test func `They run on the connection that writes and on those that read`() async throws {
    let database = try SQLiteDatabase(
      path: folder.path(),
      configuration: .init(connectionStatements: [
        "PRAGMA temp_store = MEMORY", " PRAGMA main.cache_spill(0) ;\n",
      ]))
    for pragma in ["temp_store": 2, "cache_spill": 0] {
      let sql = "PRAGMA \(pragma.key)"
      let read = try await database.read { try $0.rows(sql).first?.values }
      let written = try await database.write { try $0.rows(sql).first?.values }
      #expect(read == [.integer(Int64(pragma.value))])
      #expect(written == read)
    }
  }

  @Test func `They run before the file is looked at`() async throws {
    // A page size takes effect only where nothing was done before.
    let database = try SQLiteDatabase(
      path: folder.path(), configuration: .init(connectionStatements: ["PRAGMA page_size = 8192"]))
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    let size = try await database.read { try $0.rows("PRAGMA page_size").first?.values }
    #expect(size == [.integer(8192)])
  }

  @Test func `They run on a database in memory`() async throws {
    let database = try SQLiteDatabase.inMemory(
      configuration: .init(connectionStatements: ["PRAGMA temp_store = MEMORY"]))
    let value = try await database.read { try $0.rows("PRAGMA temp_store").first?.values }
    #expect(value == [.integer(2)])
  }

  @Test func `They run on the connection that makes a backup`() async throws {
    let log = folder.path("log.sqlite")
    let database = try SQLiteDatabase(
      path: folder.path(),
      configuration: .init(connectionStatements: ["ATTACH '\(log)' AS log"]))
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    // A connection that reads is open then, and needs no other.
    _ = try await database.read { try $0.rows("SELECT 1") }
    try FileManager.default.moveItem(atPath: log, toPath: log + ".aside")
    try FileManager.default.createDirectory(
      atPath: log, withIntermediateDirectories: false)
    let error = await #expect(throws: SQLiteError.self) {
      try await database.backup(to: folder.path("copy.sqlite"))
    }
    #expect(error?.description.hasPrefix("Backing up the database in ") == true)
    #expect(error?.description.contains("log.sqlite") == false)
    try FileManager.default.removeItem(atPath: log)
    try FileManager.default.moveItem(atPath: log + ".aside", toPath: log)
    try await database.backup(to: folder.path("copy.sqlite"))
  }

  @Test(
    arguments: [
      "PRAGMA key = 'secret'", "PRAGMA \"key\" = 'secret'", "/* a */ pragma main.[KEY]('secret')",
      "PRAGMA cipher_page_size = 1024", "PRAGMA no_such_pragma", "EXPLAIN PRAGMA key = 'secret'",
    ])
  func `A pragma that SQLite does not know is refused, and nothing is written`(
    statement: String
  ) throws {
    let error = try refusal(["PRAGMA temp_store = MEMORY", statement])
    #expect(error.code == .misuse)
    #expect(
      error.description
        == sentence(
          2,
          "sets a pragma that the linked SQLite does not know and would ignore; link one that "
            + "knows it, such as SQLCipher for a key."))
    #expect(FileManager.default.size(folder.path()) == 0)
  }

  @Test(arguments: ["SELEC 'secret'", "SELECT * FROM secret", "INSERT INTO secret VALUES (1)"])
  func `A statement that SQLite refuses is named by its number alone`(statement: String) throws {
    let error = try refusal([statement])
    #expect(error.code == .misuse)
    #expect(error.description == sentence(1, "failed in SQLite with code 1; correct it."))
  }

  @Test(arguments: ["", " ; ", "-- secret", "SELECT 1; SELECT 2", "SELECT 1\0"])
  func `What is not one statement is refused`(statement: String) throws {
    let error = try refusal(["SELECT 1;", statement])
    #expect(
      error.description
        == sentence(2, "is not one statement; write each SQL statement as an entry of its own."))
  }

  @Test(arguments: ["BEGIN", "SAVEPOINT secret"])
  func `A statement that leaves a transaction open is refused`(statement: String) throws {
    let error = try refusal([statement])
    #expect(
      error.description
        == sentence(1, "leaves a transaction open; begin none here."))
  }

  @Test func `A file that is refused by a statement is left as it was`() async throws {
    let path = folder.path()
    let database = try SQLiteDatabase(path: path)
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    await database.close()
    let before = try Data(contentsOf: URL(filePath: path))
    _ = try refusal(["PRAGMA key = 'secret'"])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `A configuration that is printed holds nothing of their text`() {
    let configuration = SQLiteDatabase.Configuration(
      connectionStatements: ["PRAGMA key = 'secret'"], fileProtection: .complete)
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(configuration)", String(reflecting: configuration), dumped] {
      #expect(!text.contains("secret"))
      #expect(text.contains("connectionStatementCount"))
    }
  }

  @Test func `A configuration that is printed tells all of its other settings`() {
    let configuration = SQLiteDatabase.Configuration(
      synchronous: .full, maximumReaderCount: 3, connectionStatements: ["SELECT 1", "SELECT 2"])
    let children = configuration.customMirror.children
    #expect(
      children.map(\.label) == [
        "synchronous", "busyTimeout", "enforcesForeignKeys", "isReadOnly", "maximumReaderCount",
        "statementCacheCapacity", "pageCacheSize", "connectionStatementCount", "fileProtection",
        "leavesMainThread",
      ])
    let text = "\(configuration)"
    for part in ["full", "maximumReaderCount: 3", "connectionStatementCount: 2"] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test func `A file's protection changes nothing where the system has none`() async throws {
    let database = try SQLiteDatabase(
      path: folder.path(), configuration: .init(fileProtection: .complete))
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    #expect(try await database.check().isEmpty)
  }

  @Test func `The samples of the page do what it says`() async throws {
    var configuration = SQLiteDatabase.Configuration()
    configuration.connectionStatements = ["PRAGMA temp_store = MEMORY"]
    configuration.connectionStatements = ["PRAGMA secure_delete = ON"]
    configuration.fileProtection = .completeUntilFirstUserAuthentication
    let database = try SQLiteDatabase(path: folder.path(), configuration: configuration)
    let secure = try await database.read { try $0.rows("PRAGMA secure_delete").first?.values }
    #expect(secure == [.integer(1)])
    let key = "a key"
    let salt = String(repeating: "0f", count: 16)
    configuration.connectionStatements = ["PRAGMA key = '\(key)'"]
    configuration.connectionStatements = [
      "PRAGMA key = '\(key)'", "PRAGMA cipher_plaintext_header_size = 32",
      "PRAGMA cipher_salt = \"x'\(salt)'\"",
    ]
    #expect(throws: SQLiteError.self) {
      try SQLiteDatabase(path: folder.path("keyed.sqlite"), configuration: configuration)
    }
  }
}

extension FileManager {
  /// The size of a file in bytes; zero when there is none.
  fileprivate func size(_ path: String) -> Int {
    ((try? attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
  }
}
