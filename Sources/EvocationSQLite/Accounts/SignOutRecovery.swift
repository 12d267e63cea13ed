internal import Evocation
internal import Foundation

/// Finishes a sign-out of several files whose process was killed, when one of them is opened.
///
/// A file may come from elsewhere, so what it says of others is believed only if they say it too. Each
/// file has a row of the sign-out before any of them is emptied. There are three cases:
///
/// - A file is emptied: the sign-out is finished, in this file and in the others that have the row.
/// - All of the files that exist have the row: the same.
/// - A file lacks it: nothing was emptied yet, and the sign-out is taken back.
///
/// A file that does not exist, or is no database, has nothing to empty.
struct SignOutRecovery {
  let file: DatabaseFile
  let configuration: SQLiteDatabase.Configuration

  /// What another file says of a sign-out.
  private enum Standing {
    case missing, unasked, prepared, done
    /// It cannot be opened now.
    case unknown
  }

  /// Carries out the intents that the connection's file has, or takes them back.
  func finish(_ connection: Connection) throws {
    let table = SignOutTable(connection)
    for (id, intent) in try table.pending() {
      guard let intent, try isDecided(id, intent, in: table) else {
        try connection.transaction { try SignOutTable($0).end(id) }
        continue
      }
      try empty(id, intent, connection: connection)
      var isWhole = true
      for fellow in intent.fellows ?? [] {
        let standing = ask(fellow, id) { connection in
          let own = try SignOutTable(connection).pending().first { $0.id == id }?.intent
          try empty(id, own ?? intent.of(fellow), connection: connection)
        }
        // A file that cannot be opened now is emptied when this one is opened again.
        if standing == .unknown { isWhole = false }
      }
      if isWhole { try connection.transaction { try SignOutTable($0).end(id) } }
    }
  }

  /// Returns whether files are to be emptied.
  private func isDecided(
    _ id: String, _ intent: SignOutIntent, in table: SignOutTable
  ) throws -> Bool {
    if try table.isDone(id) { return true }
    let standings = (intent.fellows ?? []).map { ask($0, id) { _ in } }
    return standings.contains(.done) || !standings.contains(.unasked)
  }

  private func empty(_ id: String, _ intent: SignOutIntent, connection: Connection) throws {
    try connection.durably {
      try connection.transaction {
        try SignOutTable($0).carryOut(id, intent.tables, unsent: intent.unsent)
      }
    }
  }

  /// Returns the path of a file from its path relative to this one's folder.
  private func path(_ relative: String) -> String {
    let own = file.resolved
    let end = own.lastIndex(of: "/") ?? own.startIndex
    return own[...end] + relative
  }

  /// Returns what another file says of the sign-out, and runs the body on it if it has the row.
  ///
  /// It changes no file without the row.
  private func ask(
    _ fellow: SignOutIntent.Fellow, _ id: String, _ body: (Connection) throws -> Void
  ) -> Standing {
    let path = path(fellow.path)
    guard FileManager.default.fileExists(atPath: path) else { return .missing }
    do {
      let connection = try Connection.open(
        DatabaseFile(path), .visitor, configuration: configuration)
      defer { connection.close() }
      guard try SignOutTable(connection).has(id) else {
        // Closing moves no log into a file that was refused.
        connection.isOpen = false
        return .unasked
      }
      let isDone = try SignOutTable(connection).isDone(id)
      try body(connection)
      return isDone ? .done : .prepared
    } catch let error as SQLiteError where error.code == .notADatabase || error.code == .damaged {
      return .missing
    } catch {
      return .unknown
    }
  }
}

extension SignOutIntent {
  /// Returns the intent of a file that has none of its own.
  fileprivate func of(_ fellow: Fellow) -> SignOutIntent {
    SignOutIntent(tables: fellow.tables, unsent: unsent)
  }
}
