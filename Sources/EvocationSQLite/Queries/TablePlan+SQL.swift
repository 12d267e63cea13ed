internal import Evocation

extension TablePlan {
  /// Creates the table.
  ///
  /// A table of an earlier version may be stored in the other way.
  var create: String {
    let definitions = columns.map(\.definition)
    return "CREATE TABLE \(table.quoted) (\(definitions.joined(separator: ", ")), "
      + "PRIMARY KEY (\(keyList)))\(isInKeyTree ? " WITHOUT ROWID" : "")"
  }

  /// Whether the rows are stored in the key's own tree: the key is not a single integer, and each row is
  /// known to be small.
  ///
  /// A page of that tree has few large rows, so that SQLite reads and writes more pages to find and to
  /// insert one. SQLite's documentation advises a twentieth of a page as the limit.
  private var isInKeyTree: Bool {
    if hasNumbers { return false }
    var size = 0
    for position in otherColumns {
      guard let part = columns[position].kind.scalar?.greatestSize else { return false }
      size += part
    }
    return size <= 200
  }

  /// How many rows one statement writes.
  ///
  /// More rows gain nothing, and take longer to prepare.
  var batchSize: Int { Swift.max(1, Swift.min(50, 500 / columns.count)) }

  /// The statements that write rows.
  enum Writing: Int, CaseIterable {
    case insert, insertMany, upsert, upsertMany, update, remove
  }

  /// Returns a statement that writes one row, or as many as one statement does.
  func statement(_ kind: Writing) -> String {
    switch kind {
    case .insert: insert(rows: 1)
    case .insertMany: insert(rows: batchSize)
    case .upsert: upsert(rows: 1)
    case .upsertMany: upsert(rows: batchSize)
    case .update: update
    case .remove: remove
    }
  }

  /// Inserts rows.
  ///
  /// Existing rows with the same key stay unchanged.
  private func insert(rows: Int) -> String {
    "\(insertion(rows)) ON CONFLICT (\(keyList)) DO NOTHING"
  }

  /// Inserts rows, or updates the existing rows with the same keys.
  private func upsert(rows: Int) -> String {
    let changes = equations(otherColumns) { "excluded.\(names[$0])" }
    return changes.isEmpty
      ? insert(rows: rows)
      : "\(insertion(rows)) ON CONFLICT (\(keyList)) DO UPDATE SET \(changes)"
  }

  /// Updates the row with the key.
  ///
  /// The parameters are all columns.
  private var update: String {
    // A table with only its key has nothing to change, but still reports whether the row exists.
    let changed = otherColumns.isEmpty ? key : otherColumns
    return "UPDATE \(table.quoted) SET " + equations(changed) { "?\($0 + 1)" } + " WHERE "
      + equations(key, " AND ") { "?\($0 + 1)" }
  }

  /// Removes the row with the key.
  ///
  /// The parameters are the key's columns.
  private var remove: String { "DELETE FROM \(table.quoted) WHERE \(keyCondition)" }

  /// Updates columns of the row with the key to values in SQL.
  ///
  /// Further parameters are the key's columns.
  func update(_ values: [(column: Column, sql: String)]) -> String {
    let set = values.map { "\($0.column.name.quoted) = \($0.sql)" }
    return "UPDATE \(table.quoted) SET \(set.joined(separator: ", ")) WHERE \(keyCondition)"
  }

  /// Reads the row with the key.
  ///
  /// The parameters are the key's columns.
  var selectOne: String {
    "SELECT \(columnList) FROM \(table.quoted) WHERE \(keyCondition)"
  }

  /// The names of the key's columns.
  var keyList: String { key.map { names[$0] }.joined(separator: ", ") }

  /// The positions of the columns that are not the key's.
  private var otherColumns: [Int] { columns.indices.filter { !key.contains($0) } }

  private func insertion(_ rows: Int) -> String {
    let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    let values = Array(repeating: row, count: rows).joined(separator: ", ")
    return "INSERT INTO \(table.quoted) (\(columnList)) VALUES \(values)"
  }

  private var keyCondition: String { equations(key, " AND ") { _ in "?" } }

  private func equations(
    _ positions: [Int], _ separator: String = ", ", value: (Int) -> String
  ) -> String {
    positions.map { "\(names[$0]) = \(value($0))" }.joined(separator: separator)
  }
}

extension Column {
  /// The type as the table's definition declares it.
  var type: String { kind.scalar?.columnType ?? "TEXT" }

  /// Whether each row has a value.
  ///
  /// JSON of any kind may itself be null.
  var isRequired: Bool { !isOptional && kind != .json }

  /// The column as the table's definition declares it.
  var definition: String { "\(name.quoted) \(type)\(isRequired ? " NOT NULL" : "")" }
}
