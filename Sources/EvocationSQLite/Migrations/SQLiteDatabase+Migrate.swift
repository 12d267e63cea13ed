internal import Evocation

extension SQLiteDatabase {
  /// Applies the migrations that were not yet applied to the file, in their order.
  ///
  /// ```swift
  /// let database = try SQLiteDatabase(path: path)
  /// try database.migrate([
  ///   SQLiteMigration("call the model year so", "ALTER TABLE car RENAME COLUMN year TO modelYear")
  /// ])
  /// let cars = try SQLiteRepository<Car>(database)
  /// ```
  ///
  /// Call it before the repositories are made, because these check their tables against the models,
  /// and with all migrations that the app has ever had. They are all applied to a new file too, so
  /// a migration must make a table before a later one changes it: `CREATE TABLE IF NOT EXISTS`.
  ///
  /// Each migration is one transaction, with the record that it was applied; of several processes
  /// that migrate a file at once, one does it and the others wait. Foreign keys are not enforced
  /// while a migration runs, so that tables can be replaced, and are checked at its end. A table
  /// with unsent writes is renamed by ``SQLiteMigration/init(_:renaming:to:)``. It runs on the caller's thread; keep long
  /// migrations away from the main thread.
  ///
  /// - Parameter migrations: All migrations of the app, the oldest first.
  /// - Returns: The names of those that were applied now; none is not an error.
  /// - Throws: ``SQLiteError``: `migrationFailed` for one that failed, which is undone as a whole
  ///   while those before it stay; `schemaMismatch` when one that was applied was changed, moved or
  ///   removed; `newerSchema`, with the file left as it is, when migrations were applied to it that
  ///   are not in the list; `misuse` within a closure or an observer's handler that has the writer.
  ///   `CancellationError` when a migration throws that.
  @discardableResult
  public func migrate(_ migrations: [SQLiteMigration]) throws -> [String] {
    let known = migrations.map { AppliedMigration(name: $0.name, checksum: $0.checksum) }
    return try blocking("Migrating the database") { connection in
      // It reads first, so that a file that is up to date needs no writer, and a refused one is
      // left alone.
      let first = try connection.snapshot {
        try MigrationPlan(known, applied: AppliedMigration.all($0), file: $0.file).appliedCount
      }
      guard first < migrations.count else { return [] }
      var names: [String] = []
      // One that fails leaves what those before it have changed.
      defer {
        if !names.isEmpty {
          entryIndex.withLock { $0 = EntryIndex(isSuspect: true) }
          tellUnknown(version: connection.version)
        }
      }
      try connection.withoutForeignKeys { checksKeys in
        while let name = try Self.applyNext(migrations, known, connection, checksKeys) {
          names.append(name)
        }
      }
      return names
    }
  }

  /// Applies one migration in a transaction, and gives its name; nil when there are no more.
  private static func applyNext(
    _ migrations: [SQLiteMigration], _ known: [AppliedMigration], _ connection: Connection,
    _ checksKeys: Bool
  ) throws -> String? {
    try connection.transaction { connection in
      // Compared again for each one, because another process may have applied some meanwhile.
      let count = try MigrationPlan(
        known, applied: AppliedMigration.all(connection), file: connection.file
      ).appliedCount
      guard count < migrations.count else { return nil }
      let migration = migrations[count]
      connection.migrating = []
      defer { connection.migrating = nil }
      do {
        try EntryTables.keepingTables(connection) {
          try connection.keepingLists {
            try migration.body(SQLiteAccess(connection, mayWrite: true))
          }
        }
        if checksKeys { try connection.checkForeignKeys() }
      } catch let error as CancellationError {
        throw error
      } catch {
        throw SQLiteError(migration: migration.name, file: connection.file, error)
      }
      try connection.checkIsInTransaction(migration.name)
      try FetchTable(connection).forgetMarks()
      try ColumnKinds(connection: connection).forget(tablesIn: connection.migrating ?? [])
      try known[count].write(after: count, connection)
      return migration.name
    }
  }
}

extension Connection {
  /// Runs `body` while foreign keys are not enforced; passes whether they otherwise are.
  fileprivate func withoutForeignKeys<Value>(_ body: (Bool) throws -> Value) throws -> Value {
    let action = "Migrating the database"
    guard try first("PRAGMA foreign_keys") == .integer(1) else { return try body(false) }
    try execute("PRAGMA foreign_keys = 0", action)
    defer { try? execute("PRAGMA foreign_keys = 1", action) }
    return try body(true)
  }

  /// Refuses a migration that ended its transaction, because its record would be written alone.
  fileprivate func checkIsInTransaction(_ migration: String) throws {
    guard isOutsideTransaction else { return }
    throw SQLiteError(
      .misuse,
      "The migration \(migration.quoted) of the database in \(file) failed: it ended its transaction, "
        + "so that part of it is kept; leave BEGIN, COMMIT and ROLLBACK to migrate.")
  }

  fileprivate func checkForeignKeys() throws {
    guard case .text(let table)? = try first("PRAGMA foreign_key_check") else { return }
    throw SQLiteError(
      .constraint,
      "Checking foreign keys failed: a row of the table \(table.quoted) refers to one that does "
        + "not exist.")
  }
}

extension SQLiteError {
  /// Makes the error of a migration that failed; the reason holds no user data.
  fileprivate init(migration: String, file: String, _ underlying: any Error) {
    let reason = (underlying as? SQLiteError)?.description
    self.init(
      .migrationFailed,
      "The migration \(migration.quoted) of the database in \(file) failed, and was undone: "
        + (reason ?? "it threw \(type(of: underlying))."),
      underlying: underlying)
  }
}
