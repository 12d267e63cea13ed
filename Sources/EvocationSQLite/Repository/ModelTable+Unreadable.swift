internal import Evocation
internal import Foundation

/// Rows that the model's type cannot decode, as the app sees them.
extension ModelTable {
  /// Returns the error of a read that met the statement's present row; other errors stay as they are.
  @inline(never)
  func refusal(_ error: any Error, of row: Statement, in connection: Connection) -> any Error {
    if error is SQLiteError || error is CancellationError || error is EvocationError {
      return error
    }
    return SQLiteError(
      .schemaMismatch,
      "\(reading) in \(connection.file) failed: the row with the id \(key(row).text) cannot be decoded "
        + "as \(Model.self), because \(reason(error)); correct or remove it with unreadableRows(), or "
        + "use onUnreadable: .leaveOut.", underlying: error)
  }

  /// Reads the models that can be decoded, `limit` of them at most, and says how many rows it left out.
  func findReadable(
    _ query: SQLQuery, _ connection: Connection, limit: Int = .max
  ) throws -> (models: [Model], leftOut: Int) {
    var (models, leftOut) = ([Model](), 0)
    try forEachRow(query, connection) { model, _ in
      if let model { models.append(model) } else { leftOut += 1 }
      return models.count < limit
    }
    logLeftOut(leftOut, connection)
    return (models, leftOut)
  }

  /// Logs how many rows a read has left out, unless it is as many as before.
  func logLeftOut(_ count: Int, _ connection: Connection) {
    guard count > 0,
      leftOutCount.withLock({ known in
        defer { known = count }
        return known != count
      })
    else { return }
    let notice =
      "\(reading) in \(connection.file) left out \(Self.rows(count)) that cannot be decoded as "
      + "\(Model.self); unreadableRows() lists all such rows."
    connection.configuration.log.add { _ in .notice(notice) }
  }

  /// Returns a sentence for rows that cannot be decoded; nil if there are none.
  func problem(_ connection: Connection) throws -> String? {
    var count = 0
    try forEachUnreadable(connection) { _, _ in count += 1 }
    if count == 0 { return nil }
    return
      "\(plan.table): \(Self.rows(count)) cannot be decoded as \(Model.self); unreadableRows() "
      + "lists them"
  }

  private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

  /// Returns all rows that cannot be decoded.
  func unreadable(_ connection: Connection) throws -> [SQLiteDatabase.UnreadableRow] {
    var found: [SQLiteDatabase.UnreadableRow] = []
    try forEachUnreadable(connection) { row, error in
      found.append(
        .init(
          table: plan.table, id: key(row).text, reason: reason(error), json: json(row),
          key: key(row)))
    }
    return found
  }

  /// Whether the row of a key is there, and cannot be decoded.
  func isUnreadable(_ key: RowKey, _ connection: Connection) throws -> Bool {
    var isUnreadable = false
    try forEachRow(SQLQuery(selectOne, key.values), connection) { model, _ in
      isUnreadable = model == nil
      return false
    }
    return isUnreadable
  }

  private func forEachUnreadable(
    _ connection: Connection, _ body: (Statement, any Error) -> Void
  ) throws {
    let query = SQLQuery(
      "SELECT \(plan.columnList) FROM \(plan.table.quoted) ORDER BY \(plan.keyList)")
    let (statement, decoder) = try prepare(query, connection)
    defer { finish(statement, decoder) }
    while try connection.step(statement, reading) {
      do {
        _ = try mapping.read(decoder)
      } catch  where !(error is SQLiteError || error is CancellationError) {
        body(statement, error)
      }
    }
  }

  private func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "the type refuses what it holds" }
    return error.reason(
      key: { "\"\($0)\"" }, whole: "the row", format: "has a value that it cannot have")
  }

  private func json(_ row: Statement) -> Data {
    let properties = plan.columns.enumerated().map { position, column in
      "\(Column.json(column.name)):\(column.json(row.value(at: Int32(position))))"
    }
    return Data("{\(properties.joined(separator: ","))}".utf8)
  }
}
