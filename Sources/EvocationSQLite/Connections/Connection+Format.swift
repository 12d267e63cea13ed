extension Connection {
  /// The layout that this version of the library writes.
  static let format: Int64 = 2

  /// The layout of the outbox's tables, which has a number of its own.
  static let outboxFormat: Int64 = 2

  /// Throws for a file that another version of the library has written, whose data would be
  /// overwritten.
  ///
  /// A number that no version of the library wrote comes from damage, and is left alone.
  func checkFormat() throws {
    let format = try number("evocation_format") ?? 0
    if format > Self.format { throw newer("it has the format \(format)", Self.format) }
    if format == 1 { throw former("it has the format 1") }
    guard let outbox = try number("evocation_outbox") else { return }
    if outbox > Self.outboxFormat {
      throw newer("its outbox has the format \(outbox)", Self.outboxFormat)
    }
    // The number may be wrong although the tables are not.
    let column = "SELECT 1 FROM pragma_table_info('evocation_outbox') WHERE name = 'indexed'"
    if try first(column) == nil { throw former("its outbox has the format 1") }
  }

  /// Returns the greatest version in a table; nil if there is no such table, or no number in it.
  private func number(_ table: String) throws -> Int64? {
    let found = "SELECT 1 FROM sqlite_schema WHERE name = ?"
    return try first(found, [.text(table)]) == nil
      ? nil : integer("SELECT max(version) FROM \(table)")
  }

  private func former(_ what: String) -> SQLiteError {
    SQLiteError(
      .schemaMismatch,
      "Opening the database in \(file) failed: \(what), which only betas of 2.0.0 wrote, and this "
        + "version of the library does not read it; use another path.")
  }

  private func newer(_ what: String, _ known: Int64) -> SQLiteError {
    SQLiteError(
      .newerSchema,
      "Opening the database in \(file) failed: \(what), and this version of the library reads "
        + "formats up to \(known); update the app.")
  }
}
