import CSQLite
import Foundation

/// A connection of the C API.
final class CDatabase {
  let handle: OpaquePointer

  init(path: String) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
      throw WrongAnswer()
    }
    handle = opened
    // The same settings for all contenders, so that the benchmark does not compare settings.
    try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192")
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws {
    try expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  func prepare(_ sql: String) throws -> CStatement { try CStatement(sql, self) }

  func inTransaction(_ body: () throws -> Void) throws {
    try run("BEGIN IMMEDIATE")
    try body()
    try run("COMMIT")
  }
}
