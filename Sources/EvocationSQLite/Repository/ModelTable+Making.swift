internal import Evocation

extension ModelTable {
  /// Creates the table, or adapts the existing one to the model.
  ///
  /// A read comes first, so that a file that is up to date needs no writer, for which another process
  /// might have to be waited for.
  func make(_ definition: TableDefinition, _ connection: Connection) throws {
    let first = try connection.snapshot { try changes(definition, $0) }
    if connection.configuration.isReadOnly { return try check(first, connection) }
    if let first, first.isEmpty {
      guard first.isFullNews else { return }
      // This only saves the next start a look at the rows, so it waits for nobody.
      try? connection.runWithoutWaiting { connection in
        try connection.transaction { connection in
          guard let changes = try changes(definition, connection), changes.isEmpty else { return }
          try ColumnKinds(connection: connection).recordFull(changes.full, of: plan.table)
        }
      }
      return
    }
    try connection.transaction { connection in
      try connection.makeOwnTables()
      guard let changes = try changes(definition, connection) else { return }
      try definition.apply(changes, to: connection) {
        // Earlier lists of changes did not fill the new columns, so their change tokens are void.
        try FetchTable(connection).forgetMarks()
      }
      let filled = changes.added + changes.unfilled
      var full = changes.full
      if try !fill(filled, connection) { full.subtract(filled.map { $0.name.lowercased() }) }
      if try full != ColumnKinds(connection: connection).all(of: plan.table).full {
        try ColumnKinds(connection: connection).recordFull(full, of: plan.table)
      }
    }
  }

  /// Returns what the file lacks; nil if it does not even have the tables of the library.
  private func changes(
    _ definition: TableDefinition, _ connection: Connection
  ) throws -> TableChanges? {
    guard try connection.configuration.isReadOnly || connection.hasOwnTables() else { return nil }
    var changes = try definition.changes(in: connection)
    // Rows that cannot be decoded now wait for a version of the app that can.
    if try !changes.unfilled.isEmpty && !canFill(changes.unfilled, connection) {
      changes.full.subtract(changes.unfilled.map { $0.name.lowercased() })
      changes.unfilled = []
      changes.isFullNews =
        try changes.full != ColumnKinds(connection: connection).all(of: plan.table).full
    }
    return changes
  }

  /// Throws if a file that is only read lacks what the models need.
  private func check(_ changes: TableChanges?, _ connection: Connection) throws {
    guard let changes, changes.isNew || !changes.added.isEmpty else { return }
    let names = changes.added.map(\.name.quoted).joined(separator: ", ")
    throw SQLiteError(
      .schemaMismatch,
      "Making the repository of the table \(plan.table.quoted) in \(connection.file) failed: the file "
        + "\(changes.isNew ? "has no such table" : "lacks its columns \(names)"), and the "
        + "configuration has isReadOnly; open it once without.")
  }

  /// Whether the outbox has entries or versions of the table.
  func hasEntries(_ store: EntryStore) throws -> Bool {
    if try !store.connection.hasOwnTables() { return false }
    return try !store.keys(of: queueName, limit: 1).isEmpty || store.hasNotes(of: queueName)
  }
}
