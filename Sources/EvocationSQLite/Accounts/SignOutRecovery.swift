internal import Evocation
internal import Foundation

/// Finishes a sign-out of several files whose process was killed, when a file is opened.
///
/// It does not trust the file's record of other files: it opens another file only if it exists, and
/// changes it only if it has the same sign-out, according to its own plan.
struct SignOutRecovery {
  let file: DatabaseFile
  let configuration: SQLiteDatabase.Configuration

  /// Finishes the sign-outs that the connection's file records, or abandons one that emptied
  /// nothing.
  func finish(_ connection: Connection) throws {
    guard try SignOutTable(connection).isThere else { return }
    for row in try SignOutTable(connection).pending() { try finish(row, connection) }
  }

  private func finish(_ row: SignOutTable.Row, _ connection: Connection) throws {
    guard let plan = row.plan, plan.others.count < SignOutPlan.mostFiles else {
      return try close(row.id, .abandoned, connection)
    }
    switch (row.state, plan.first) {
    case (.marked, nil):
      try close(row.id, .abandoned, connection)
      SignOutOutcomes.ofProcess.note(row.id, by: file.resolved, isDecided: false)
      for other in plan.others { _ = finish(row.id, at: path(other), isDecided: false) }
    case (.marked, let first?):
      let isDecided = try isDecided(row.id, by: path(first))
      if isDecided {
        try empty(row.id, plan, connection)
      } else {
        try close(row.id, .abandoned, connection)
      }
    case (.decided, _):
      // A file that cannot be opened now finishes automatically when it is opened.
      SignOutOutcomes.ofProcess.note(row.id, by: file.resolved, isDecided: true)
      let isWhole = plan.others.map { finish(row.id, at: path($0), isDecided: true) }
        .allSatisfy { $0 }
      if isWhole { try close(row.id, .done, connection) }
    case (.done, _), (.abandoned, _): break
    }
  }

  /// Returns whether the deciding file was emptied.
  ///
  /// If it was not, the sign-out is abandoned for good.
  ///
  /// A file that no longer exists, or is another one by now, counts as emptied.
  private func isDecided(_ id: String, by path: String) throws -> Bool {
    if let known = SignOutOutcomes.ofProcess.isDecided(id, by: path) { return known }
    return try whereThere(path) { connection in
      let table = SignOutTable(connection)
      guard try table.isThere, try table.state(of: id) == .marked else {
        return try !table.isThere || table.state(of: id) != .abandoned
      }
      return try connection.durably {
        try connection.transaction { _ in
          guard try table.state(of: id) == .marked else {
            return try table.state(of: id) != .abandoned
          }
          try table.set(id, .abandoned)
          return false
        }
      }
    } ?? true
  }

  /// Empties another file with the sign-out, or abandons it there; false if it has to be tried
  /// again.
  private func finish(_ id: String, at path: String, isDecided: Bool) -> Bool {
    // A file that this process has open did so when it was opened, and may not be opened again.
    if OpenFiles.ofProcess.isOpen(path) { return true }
    let isFinished =
      try? whereThere(path) { connection in
        let table = SignOutTable(connection)
        guard try table.isThere, let row = try table.pending(id).first, let plan = row.plan,
          plan.first != nil
        else { return true }
        if isDecided {
          try empty(id, plan, connection)
        } else {
          try close(id, .abandoned, connection)
        }
        return true
      } ?? true
    return isFinished ?? false
  }

  private func empty(_ id: String, _ plan: SignOutPlan, _ connection: Connection) throws {
    try connection.durably {
      try connection.transaction { connection in
        try EmptiedTables(connection: connection, tables: plan.tables, unsent: plan.unsent).empty()
        try SignOutTable(connection).set(id, .done)
      }
    }
  }

  private func close(
    _ id: String, _ state: SignOutTable.State, _ connection: Connection
  ) throws {
    try connection.transaction { try SignOutTable($0).set(id, state) }
  }

  private func path(_ relative: String) -> String {
    SignOutPlan.absolute(relative, from: file.resolved)
  }

  /// Runs the body on a connection to an existing database; nil if there is none.
  private func whereThere<Value>(
    _ path: String, _ body: (Connection) throws -> Value
  ) throws -> Value? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let connection = try Connection.openExisting(DatabaseFile(path), configuration)
      defer { connection.close() }
      return try body(connection)
    } catch let error as SQLiteError where error.code == .notADatabase || error.code == .damaged {
      return nil
    }
  }
}
