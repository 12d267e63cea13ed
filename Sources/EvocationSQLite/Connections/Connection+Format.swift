extension Connection {
  /// The layout that this version of the library writes.
  private static let format: Int64 = 1

  /// Refuses a file that a newer version of the library has written.
  func checkFormat() throws {
    let known = try first("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_format'")
    guard known != nil,
      case .integer(let format)? = try first("SELECT max(version) FROM evocation_format"),
      format > Self.format
    else { return }
    throw SQLiteError(
      .newerSchema,
      "Opening the database in \(file) failed: it was written in format \(format), and this version "
        + "of the library knows formats up to \(Self.format); update the app."
    )
  }

  /// Writes down which layout the file has, before the first table is made.
  func writeFormat() throws {
    let action = "Writing the format"
    try execute(
      "CREATE TABLE IF NOT EXISTS evocation_format (version INTEGER PRIMARY KEY)", action)
    try execute("INSERT OR IGNORE INTO evocation_format VALUES (\(Self.format))", action)
  }
}
