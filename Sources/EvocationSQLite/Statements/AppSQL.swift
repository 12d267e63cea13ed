internal import CEvocationSQLite

/// What SQL of your app may do to the connection that it runs on.
///
/// A call gets any connection of the database, and a later call another one. What a statement leaves on
/// its connection would therefore make later calls differ by chance. SQLite sets some pragmas as soon as
/// it prepares them, so they are refused before.
enum AppSQL: Int {
  /// SQL of the library, which is not looked at.
  case own
  case migration, write, read

  /// Returns why SQLite must not prepare an action; nil if it may.
  func refusal(_ action: Int32, _ name: String, argument: String?) -> Refusal? {
    switch (action, self) {
    case (_, .own): nil
    case (SQLITE_ATTACH, _): .connection("ATTACH")
    case (SQLITE_DETACH, _): .connection("DETACH")
    case (SQLITE_TRANSACTION, .read): .transaction
    case (SQLITE_PRAGMA, _): refusal(ofPragma: name.lowercased(), argument: argument)
    default: nil
    }
  }

  private func refusal(ofPragma name: String, argument: String?) -> Refusal? {
    let acts = Self.actions.contains(name)
    if Self.questions.contains(name) || (argument == nil && !acts) { return nil }
    // Migrations set it by habit, and it has no effect in a transaction.
    if self == .migration, name == "foreign_keys" { return nil }
    guard acts || Self.settingsOfFile.contains(name) else {
      return .connection("PRAGMA \(name) = …")
    }
    return self == .read ? .write : nil
  }

  /// The pragmas whose argument says what they are about.
  private static let questions: Set = [
    "collation_list", "compile_options", "database_list", "foreign_key_check", "foreign_key_list",
    "function_list", "index_info", "index_list", "index_xinfo", "integrity_check", "module_list",
    "pragma_list", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// The pragmas that do something without an argument too.
  private static let actions: Set = ["incremental_vacuum", "optimize", "wal_checkpoint"]

  /// The pragmas that set something of the file, or of the transaction alone, and those that change how
  /// a migration may write the schema.
  private static let settingsOfFile: Set = [
    "application_id", "auto_vacuum", "defer_foreign_keys", "encoding", "ignore_check_constraints",
    "legacy_alter_table", "max_page_count", "page_size", "schema_version", "user_version",
    "writable_schema",
  ]
}

extension AppSQL {
  /// Why a statement is refused before SQLite prepares it.
  enum Refusal {
    /// It would change the connection, as this text does.
    case connection(String)
    case transaction
    case write
  }
}
