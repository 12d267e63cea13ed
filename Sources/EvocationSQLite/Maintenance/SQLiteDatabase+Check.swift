internal import CEvocationSQLite
internal import Evocation
internal import Foundation

extension SQLiteDatabase {
  /// Looks for damage in the file and impossible rows in Evocation's tables, and describes both.
  ///
  /// ```swift
  /// let problems = try await database.check(.quick)
  /// ```
  ///
  /// It reads the whole file from the disk, in one state of the data, on a queue of the database.
  /// Reads and writes continue. The time that it takes grows with the file. It repairs nothing:
  /// restore a damaged file from a backup. It cannot find damage that turns one valid value into
  /// another, such as a changed character in a text.
  ///
  /// In an undamaged file, it also counts rows of the tables that begin with `evocation_` that
  /// Evocation cannot have written, such as a page of a list without a number. Other SQL has changed
  /// them. Evocation fetches such a list again, and reports such an entry of the outbox as
  /// unreadable. And it counts the rows that the models of repositories on the database cannot be
  /// decoded from, which ``SQLiteRepository/unreadableRows()`` lists.
  ///
  /// - Parameter extent: How much to check.
  /// - Returns: A sentence for each problem, in SQLite's words, a hundred at most; or one for each
  ///   of the tables with such rows. Empty if there is neither.
  /// - Throws: ``SQLiteError`` for any failure other than damage, such as a closed database or a
  ///   disk that cannot be read; `CancellationError`.
  public func check(_ extent: IntegrityCheck = .full) async throws -> [String] {
    let rows = tables.withLock(\.allProblems)
    return try await reading { connection in
      // A page in memory may be intact while the page in the file is damaged.
      sqlite3_db_release_memory(connection.handle)
      let sql = extent == .full ? "PRAGMA integrity_check" : "PRAGMA quick_check"
      let action = "Checking the database"
      var problems: [String] = []
      do {
        let statement = try connection.statement(sql, action)
        defer { statement.reset() }
        while try connection.step(statement, action) {
          // SQLite reports a page that the system could not read as damaged.
          let number = errno
          if SystemFailure.isOfDisk(number) {
            throw SQLiteError(.disk(number), action, file: connection.file)
          }
          if case .text(let problem) = statement.value(at: 0), problem != "ok" {
            problems.append(problem)
          }
        }
      } catch let error as SQLiteError where error.code == .damaged {
        problems.append(error.description)
      }
      guard problems.isEmpty else {
        connection.isDamaged.withLock { $0 = true }
        return problems
      }
      return try connection.snapshot { connection in
        try connection.problemsOfOwnTables() + rows.compactMap { try $0(connection) }
      }
    }
  }
}

extension SQLiteDatabase {
  /// How much of a database a check covers.
  public enum IntegrityCheck: String, Sendable, Hashable, Codable, CaseIterable {
    /// Checks every page, and the format of every row.
    case quick
    /// Also checks that every index agrees with its table, which may take several times as long.
    case full
  }
}
