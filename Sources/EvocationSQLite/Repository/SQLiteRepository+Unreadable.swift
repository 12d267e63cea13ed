internal import Evocation
public import Foundation

/// Rows that the model type cannot decode.
extension SQLiteRepository {
  /// Returns the rows of the table that the model type cannot decode.
  ///
  /// ```swift
  /// let rows = try await jobs.unreadableRows()
  /// ```
  ///
  /// It reads the whole table, in one state of the database.
  ///
  /// - Returns: The rows, in the order of their keys. None is not an error.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func unreadableRows() async throws -> [SQLiteDatabase.UnreadableRow] {
    let table = table
    return try await database.reading { try table.unreadable($0) }
  }

  /// Writes a corrected model over the row that could not be decoded.
  ///
  /// It writes all columns of the row, with the defaults of the model type.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - json: The model with the row's id, as a corrected form of
  ///     ``SQLiteDatabase/UnreadableRow/json``.
  /// - Returns: Whether it was written; false if the row is gone, or can be decoded by now.
  /// - Throws: `DecodingError` for JSON that cannot be decoded; `EvocationError.differentModel` for a
  ///   model with another id; ``SQLiteError``; `CancellationError`.
  @discardableResult
  public func repair(
    _ row: SQLiteDatabase.UnreadableRow, as json: Data
  ) async throws -> Bool {
    let model = try ModelJSON.model(Model.self, json)
    return try await transaction { part in
      let (table, connection) = (part.table, part.connection)
      guard try table.key(of: model, connection) == row.key else {
        throw EvocationError.differentModel(model: "\(Model.self)")
      }
      guard try table.isUnreadable(row.key, connection) else { return false }
      _ = try table.writer(table.update, connection).write(model)
      part.report(StoreChanges(isMixed: true))
      return true
    }.value
  }

  /// Removes rows that could not be decoded, in one transaction, and returns how many it removed.
  ///
  /// It leaves rows that can be decoded by now.
  ///
  /// - Parameter rows: The rows.
  /// - Returns: The number of removed rows.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  @discardableResult
  public func remove(unreadable rows: [SQLiteDatabase.UnreadableRow]) async throws -> Int {
    if rows.isEmpty { return 0 }
    return try await transaction { part in
      let keys = try rows.map(\.key).filter {
        try part.table.isUnreadable($0, part.connection)
      }
      try part.table.removeRows(keys, part.connection)
      if !keys.isEmpty { part.report(StoreChanges(isMixed: true)) }
      return keys.count
    }.value
  }
}
