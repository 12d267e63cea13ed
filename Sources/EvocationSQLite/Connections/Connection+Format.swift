extension Connection {
  /// The layout that this version of the library writes.
  private static let format: Int64 = 2

  /// The layout of the outbox's tables that this version of the library writes.
  static let outboxFormat: Int64 = 2

  /// Throws for a file that a newer version of the library has written.
  func checkFormat() throws {
    let known = try first("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_format'")
    if known != nil,
      case .integer(let format)? = try first("SELECT max(version) FROM evocation_format"),
      format > Self.format
    {
      throw SQLiteError(
        .newerSchema,
        "Opening the database in \(file) failed: it has the format \(format), and this version "
          + "of the library reads formats up to \(Self.format); update the app."
      )
    }
    _ = try checkOutboxFormat()
  }

  /// Throws for a file with an outbox of a newer version, whose unsent writes would be overwritten.
  ///
  /// - Returns: Whether there is an outbox.
  func checkOutboxFormat() throws -> Bool {
    guard try first("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_outbox'") != nil else {
      return false
    }
    guard case .integer(let format)? = try first("SELECT max(version) FROM evocation_outbox"),
      format > Self.outboxFormat
    else { return true }
    throw SQLiteError(
      .newerSchema,
      "Opening the database in \(file) failed: its outbox has the format \(format), and this "
        + "version of the library reads formats up to \(Self.outboxFormat); update the app."
    )
  }

  /// Whether there is an outbox with an earlier layout.
  func hasFormerOutbox() throws -> Bool {
    guard try checkOutboxFormat(),
      case .integer(let format)? = try first("SELECT max(version) FROM evocation_outbox")
    else { return false }
    return format < Self.outboxFormat
  }

  /// Whether the file has the earlier layout.
  ///
  /// A number that no version of the library wrote comes from damage, and is left alone.
  func hasFormerFormat() throws -> Bool {
    guard try first("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_format'") != nil else {
      return false
    }
    return try first("SELECT max(version) FROM evocation_format") == .integer(1)
  }

  /// Records the layout of the file, before the first table is created.
  func writeFormat() throws {
    let action = "Writing the format"
    try execute(
      "CREATE TABLE IF NOT EXISTS evocation_format (version INTEGER PRIMARY KEY)", action)
    try execute("INSERT OR IGNORE INTO evocation_format VALUES (\(Self.format))", action)
  }

  /// Records that a file of an earlier layout has the present one.
  func replaceFormat() throws {
    try execute("DELETE FROM evocation_format", "Writing the format")
    try writeFormat()
  }
}
