internal import CEvocationSQLite

/// Rows that cannot be written yet, because another row of the table has one of their unique
/// values.
///
/// The same transaction may write or remove that row later, for example if a service moves a number
/// to another model, or two models exchange values.
struct WaitingRows<Model> {
  /// A row's new value, and its present one; nil if the row does not exist, or no observer needs
  /// it.
  typealias Row = (model: Model, before: Model?)

  private var rows: [Row] = []
  private var refusal: SQLiteError?

  /// The error of the last rejected row; nil if no row waits.
  var error: SQLiteError? { rows.isEmpty ? nil : refusal }

  /// Writes a row, or adds it to the waiting rows.
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

  /// Removes rows that a later part of the transaction writes with another value.
  mutating func forget(_ isLater: (Model) -> Bool) {
    if !rows.isEmpty { rows.removeAll { isLater($0.model) } }
  }

  /// Writes all waiting rows, after the rows to remove are removed.
  ///
  /// If rows still wait for each other, `free` first gives them temporary values.
  ///
  /// - Throws: ``SQLiteError`` if a row that stays has the value, or two rows would get the same
  ///   value.
  mutating func writeAll(
    _ connection: Connection, free: ([Model]) throws -> Void, _ body: (Row) throws -> Void
  ) throws {
    // The first pass goes backwards, so that a number that increases by one finds the next one
    // free.
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
  /// Whether a row was rejected because of another row's unique value, and the transaction
  /// continues.
  func canGoOn(after error: SQLiteError) -> Bool {
    error.resultCode == SQLITE_CONSTRAINT | 8 << 8 && !isOutsideTransaction
  }
}
