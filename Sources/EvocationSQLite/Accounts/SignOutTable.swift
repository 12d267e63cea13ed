internal import Evocation
internal import Foundation

/// Reads and writes the table of sign-outs that empty several files, on one connection.
///
/// A row is a sign-out, and is about this file alone. There are three kinds:
///
/// - A mark: the file is to be emptied, when its turn comes, or when it is next opened.
/// - A mark that is done: the file is emptied, but files of the mark's models may lack the mark.
/// - No mark: the file is emptied, and each other file is too, or has the mark.
///
/// Rows stay, because a file is emptied once for each sign-out: a next user may have stored data in it.
struct SignOutTable {
  private static let action = "Signing out"

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// The sign-outs, each with its mark, or an empty one; and whether the file is emptied for it.
  ///
  /// A mark that cannot be read throws while the file is not emptied: it may have a former user's models.
  var rows: [(mark: StoreEmptying, isDone: Bool)] {
    get throws {
      guard try connection.hasOwnTables() else { return [] }
      let sql = "SELECT id, isDone, intent FROM evocation_sign_outs ORDER BY number"
      return try connection.all(sql, [], action: Self.action) { statement in
        guard let id = statement.text(at: 0) else { return nil }
        let (isDone, data) = (statement.integer(at: 1) != 0, statement.data(at: 2)?.bytes)
        var mark = data.flatMap { try? JSONDecoder().decode(StoreEmptying.self, from: $0) }
        if data != nil, mark == nil, !isDone { throw unreadable }
        mark?.id = id
        return (mark ?? StoreEmptying(id: id, repositories: [], unsent: .stay), isDone)
      }
    }
  }

  private var unreadable: SQLiteError {
    SQLiteError(
      .damaged,
      "Opening the database in \(connection.file) failed: it has the mark of a sign-out that this "
        + "version of the library cannot read, so it may have the models of a user who has signed "
        + "out; open it with the version of the app that wrote it, or delete it.")
  }

  /// Marks the file.
  func mark(_ emptying: StoreEmptying) throws {
    try connection.makeOwnTables()
    try write(emptying, isDone: false)
  }

  /// Deletes a mark; of one that is done, the record stays.
  func unmark(_ id: String) throws {
    guard try connection.hasOwnTables() else { return }
    try run("DELETE FROM evocation_sign_outs WHERE id = ? AND isDone = 0", [.text(id)])
    try run("UPDATE evocation_sign_outs SET intent = NULL WHERE id = ?", [.text(id)])
  }

  /// Deletes all marks, as a copy of the file does, which takes no part in a sign-out.
  func unmarkAll() throws {
    guard try connection.hasOwnTables() else { return }
    try run("DELETE FROM evocation_sign_outs WHERE intent IS NOT NULL", [])
  }

  /// Empties the file, if that has not been done for the sign-out.
  ///
  /// It also does what an earlier sign-out could not do here.
  func empty(_ emptying: StoreEmptying) throws {
    try connection.makeOwnTables()
    let (rows, isTogether) = (try rows, emptying.later != nil)
    // Another process may have done it already, and a user may have signed in there.
    if !rows.contains(where: { $0.mark.id == emptying.id && $0.isDone }) {
      let undone = rows.filter { !$0.isDone }.flatMap(\.mark.repositories)
      let tables = Set(emptying.repositories + undone)
      try connection.empty(tables.sorted(), emptying.unsent, isTogether: isTogether)
      try run("UPDATE evocation_sign_outs SET isDone = 1", [])
    }
    guard isTogether else { return }
    var emptying = emptying
    emptying.later = []
    try write(emptying, isDone: true)
  }

  /// Empties tables, unless they were emptied for this sign-out, which was cut short, and records that.
  func finish(_ emptying: StoreEmptying) throws {
    let row = try rows.first { $0.mark.id == emptying.id }
    let (isDone, own) = (row?.isDone == true, row?.mark.repositories ?? [])
    // Without a mark, no other file is to be emptied, nor this one again.
    guard isDone ? row?.mark.later != nil : !emptying.repositories.isEmpty else { return }
    var emptying = emptying
    let all = Set(emptying.repositories + own)
    let due = all.subtracting(isDone ? own : [])
    if !due.isEmpty { try connection.empty(due.sorted(), emptying.unsent, isTogether: true) }
    emptying.repositories = all.sorted()
    try write(emptying, isDone: true)
  }

  /// Empties the file for each sign-out that marked it, and returns whether one was cut short.
  func recover() throws -> Bool {
    if try rows.contains(where: { !$0.isDone }) {
      try connection.durably {
        try connection.transaction { _ in
          for (mark, isDone) in try rows where !isDone {
            if mark.repositories.isEmpty { try unmark(mark.id) } else { try finish(mark) }
          }
        }
      }
    }
    return try rows.contains { $0.mark.later != nil }
  }

  /// Writes a row; one that is done has a mark only if files of other models may lack it.
  private func write(_ mark: StoreEmptying, isDone: Bool) throws {
    let isNeeded = !isDone || mark.later?.isEmpty == false
    try run(
      "INSERT OR REPLACE INTO evocation_sign_outs (id, isDone, intent) VALUES (?, ?, ?)",
      [
        .text(mark.id), .integer(isDone ? 1 : 0),
        isNeeded ? .blob([UInt8](try JSONEncoder().encode(mark))) : .null,
      ])
  }

  private func run(_ sql: String, _ values: [SQLValue]) throws {
    try connection.run(sql, values, action: Self.action)
  }
}
