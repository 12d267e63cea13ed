internal import CEvocationSQLite

/// Rows that cannot be written yet, because another row of the table has a unique value of theirs.
///
/// That row may be one that the same transaction writes or removes later, as where a service gives a
/// number to another model, or two models change places.
struct WaitingRows<Model> {
  /// A row as it is to be, and as it is; nil where it is not there, or nobody wants to know.
  typealias Row = (model: Model, before: Model?)

  private var rows: [Row] = []
  private var refusal: SQLiteError?

  /// The error of the row that was refused last; nil where none waits.
  var error: SQLiteError? { rows.isEmpty ? nil : refusal }

  /// Writes a row, or has it wait; false where it waits.
  mutating func write(
    _ model: Model, before: Model? = nil, _ connection: Connection, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as SQLiteError where connection.canGoOn(after: error) {
      rows.append((model, before))
      refusal = error
    }
  }

  /// Lets go of rows that a later part of the transaction writes otherwise.
  mutating func forget(_ isLater: (Model) -> Bool) {
    if !rows.isEmpty { rows.removeAll { isLater($0.model) } }
  }

  /// Writes all rows that wait, after what is to go is gone.
  ///
  /// Rows that still wait for each other first get values for the time being, by `free`.
  ///
  /// - Throws: ``SQLiteError`` where a row that stays has the value, or two are to have the same.
  mutating func writeAll(
    _ connection: Connection, free: ([Model]) throws -> Void, _ body: (Row) throws -> Void
  ) throws {
    // Backwards first, so that a number which moves on by one finds the next one free.
    for _ in 0..<2 {
      let again = rows
      rows = []
      for row in again.reversed() {
        try write(row.model, before: row.before, connection) { try body(row) }
      }
    }
    guard let refusal = error else { return }
    try connection.savepoint {
      do {
        try free(rows.map(\.model))
      } catch let error as SQLiteError where error.code == .constraint {
        throw refusal
      }
      for row in rows { try body(row) }
    }
    rows = []
  }
}

extension Connection {
  /// Whether a row was refused for a unique value of another one, and the transaction goes on.
  func canGoOn(after error: SQLiteError) -> Bool {
    error.resultCode == SQLITE_CONSTRAINT | 8 << 8 && !isOutsideTransaction
  }
}
