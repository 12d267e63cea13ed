internal import CEvocationSQLite

/// What a repository keeps with a statement to code its rows, so that it is made once.
protocol StatementCoder: AnyObject {
  /// The statement is gone.
  func drop()
}

/// A prepared statement; it belongs to its connection and goes where that goes.
final class Statement {
  let handle: OpaquePointer
  let parameterCount: Int32
  var lastUse = 0
  private var isFinalized = false

  /// Whether it may remove rows without calling triggers; nil where nobody has looked.
  var removesUntold: Bool?

  /// What reads its rows.
  var decoder: (any StatementCoder)?

  /// What writes its parameters.
  var encoder: (any StatementCoder)?

  init(handle: OpaquePointer) {
    self.handle = handle
    parameterCount = sqlite3_bind_parameter_count(handle)
  }

  deinit {
    finalize()
    decoder?.drop()
    encoder?.drop()
  }

  /// Lets go of what SQLite has of it, once; it cannot be run any more.
  func finalize() {
    guard !isFinalized else { return }
    isFinalized = true
    sqlite3_finalize(handle)
  }

  /// How many columns it gives; the first step may find that a table has got more.
  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Whether running it changes nothing.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Ends the run, so that it can be bound and run again, and releases the snapshot that it read.
  func reset() {
    sqlite3_reset(handle)
  }
}
