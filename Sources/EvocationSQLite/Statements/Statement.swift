internal import CEvocationSQLite

/// A prepared statement, which belongs to its connection and moves with it between threads.
final class Statement {
  let handle: OpaquePointer
  let parameterCount: Int32
  var lastUse = 0
  private var isFinalized = false

  /// Reads its rows; a repository stores it here, so that it is created once.
  var decoder: AnyObject?

  /// Writes its parameters; stored here as well.
  var encoder: AnyObject?

  /// The tables that it uses, and how often SQLite had prepared it again then; nil if nobody asked.
  var tables: (tables: StatementTables, preparations: Int32)?

  /// Whose SQL it was prepared for.
  var admission = AppSQL.own

  init(handle: OpaquePointer) {
    self.handle = handle
    parameterCount = sqlite3_bind_parameter_count(handle)
  }

  deinit {
    finalize()
  }

  /// Releases SQLite's statement, once.
  ///
  /// It cannot run afterwards.
  func finalize() {
    guard !isFinalized else { return }
    isFinalized = true
    sqlite3_finalize(handle)
  }

  /// The number of columns of the result.
  ///
  /// The first step may find that a table has more.
  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Whether running it changes nothing.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Ends the run, so that it can be bound and run again, and releases its snapshot.
  func reset() {
    sqlite3_reset(handle)
  }
}
