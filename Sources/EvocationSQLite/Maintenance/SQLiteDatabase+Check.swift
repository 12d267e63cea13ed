internal import CEvocationSQLite
internal import Evocation
internal import Foundation

extension SQLiteDatabase {
  /// Looks for damage in the file, and tells what it found.
  ///
  /// ```swift
  /// let problems = try await database.check(.quick)
  /// ```
  ///
  /// It reads the whole file anew, on one state of the data and on a queue of the database's own,
  /// while others read and write; how long it takes grows with the file. It repairs nothing: restore a
  /// damaged file from a backup. Damage that leaves a value a value, such as another letter in a
  /// text, cannot be told.
  ///
  /// - Parameter extent: How closely it looks.
  /// - Returns: A sentence for each problem, in SQLite's words and a hundred at most; none when the
  ///   file is sound.
  /// - Throws: ``SQLiteError`` for what is not damage, such as a closed database, or a disk that did not
  ///   let itself be read; `CancellationError`.
  public func check(_ extent: IntegrityCheck = .full) async throws -> [String] {
    try await long(reader) { connection in
      // Pages that are in memory may be sound where those in the file are damaged.
      sqlite3_db_release_memory(connection.handle)
      let sql = extent == .full ? "PRAGMA integrity_check" : "PRAGMA quick_check"
      let action = "Checking the database"
      var problems: [String] = []
      do {
        let statement = try connection.statement(sql, action)
        defer { statement.reset() }
        while try connection.step(statement, action) {
          // It takes a page that the system did not read for one that is damaged.
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
      if !problems.isEmpty { connection.isDamaged.withLock { $0 = true } }
      return problems
    }
  }
}
