internal import Evocation

extension SQLiteDatabase {
  /// Applies the migrations that the file does not have yet, in their order.
  ///
  /// ```swift
  /// let database = try SQLiteDatabase(path: path)
  /// try database.migrate([
  ///   SQLiteMigration("call the model year so", "ALTER TABLE car RENAME COLUMN year TO modelYear")
  /// ])
  /// let cars = try SQLiteRepository<Car>(database)
  /// ```
  ///
  /// Call it before you create the repositories, because these check their tables against the
  /// models. Pass all migrations that the app has ever had. A new file gets them all too, so a
  /// migration must create a table before a later one changes it: `CREATE TABLE IF NOT EXISTS`.
  ///
  /// Each migration is one transaction, which also records that it was applied. If several
  /// processes migrate a file at the same time, one does it and the others wait. Foreign keys are
  /// not enforced while a migration runs, so that it can replace tables. They are checked at its
  /// end. To rename a table with unsent writes, use ``SQLiteMigration/init(_:renaming:to:)``.
  ///
  /// The method runs on the caller's thread. Keep long migrations away from the main thread.
  ///
  /// - Parameter migrations: All migrations of the app, the oldest first.
  /// - Returns: The names of the migrations that were applied by this call. None is not an error.
  /// - Throws: ``SQLiteError`` with one of these codes, or `CancellationError` if a migration
  ///   throws it:
  ///   - `migrationFailed` if a migration failed. It is undone, and those before it stay.
  ///   - `schemaMismatch` if an applied migration was moved or removed.
  ///   - `newerSchema` if the file has migrations that are not in the list. The file stays
  ///     unchanged.
  ///   - `damaged` if the file's record of migrations is not numbered from 1 without gaps.
  ///   - `misuse` if a name is empty, contains NUL or occurs twice, if a migration ended its
  ///     transaction, or if you call it inside a closure or an observer's handler that holds the
  ///     database's writer.
  @discardableResult
  public func migrate(_ migrations: [SQLiteMigration]) throws -> [String] {
    try blocking("Migrating the database") { connection in
      // A read comes first, so that a file that is up to date needs no writer, and a rejected file
      // stays unchanged.
      let first = try connection.snapshot {
        try MigrationPlan(
          migrations.map(\.name), applied: MigrationTable($0).names(), file: $0.file
        )
        .appliedCount
      }
      guard first < migrations.count else { return [] }
      var names: [String] = []
      // The changes of earlier migrations stay if a later one fails.
      defer {
        if !names.isEmpty {
          entryIndex.withLock { $0 = EntryIndex(isSuspect: true) }
          tellUnknown(version: connection.version)
        }
      }
      try connection.withoutForeignKeys { checksKeys in
        while let name = try Self.applyNext(
          migrations, connection: connection, checksKeys: checksKeys)
        {
          names.append(name)
        }
      }
      try connection.rewriteNamesAsText()
      return names
    }
  }

  /// Applies one migration in a transaction, and returns its name; nil if there are no more.
  private static func applyNext(
    _ migrations: [SQLiteMigration], connection: Connection, checksKeys: Bool
  ) throws -> String? {
    try connection.transaction { connection in
      // The comparison is repeated for each migration, because another process may have applied
      // some.
      let count = try MigrationPlan(
        migrations.map(\.name), applied: MigrationTable(connection).names(), file: connection.file
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
        // The reason contains no user data.
        let reason = (error as? SQLiteError)?.description ?? "it threw \(type(of: error))."
        throw SQLiteError(
          .migrationFailed,
          "The migration \(migration.name.quoted) of the database in \(connection.file) failed, and "
            + "was undone: \(reason)", underlying: error)
      }
      try connection.checkIsInTransaction(migration.name)
      try FetchTable(connection).forgetMarks()
      try ColumnKinds(connection: connection).forget(tablesIn: connection.migrating ?? [])
      try MigrationTable(connection).add(migration.name, after: count)
      return migration.name
    }
  }
}

extension Connection {
  /// Runs `body` without enforcing foreign keys, and passes whether they are enforced otherwise.
  fileprivate func withoutForeignKeys<Value>(_ body: (Bool) throws -> Value) throws -> Value {
    let action = "Migrating the database"
    guard try first("PRAGMA foreign_keys") == .integer(1) else { return try body(false) }
    try execute("PRAGMA foreign_keys = 0", action)
    defer { try? execute("PRAGMA foreign_keys = 1", action) }
    return try body(true)
  }

  /// Throws for a migration that ended its transaction, because its record would be written alone.
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
