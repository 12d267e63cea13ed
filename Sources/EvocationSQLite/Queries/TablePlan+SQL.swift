internal import Evocation

extension TablePlan {
  /// All columns, in the plan's order.
  var columnList: String { columns.map(\.name.quoted).joined(separator: ", ") }

  /// Creates the table.
  ///
  /// If the key is not a single integer, the rows are stored in the key's own tree.
  var create: String {
    let definitions = columns.map(\.definition)
    return "CREATE TABLE \(table.quoted) (\(definitions.joined(separator: ", ")), "
      + "PRIMARY KEY (\(keyList)))\(rowID != nil ? "" : " WITHOUT ROWID")"
  }

  /// How many rows one statement writes.
  ///
  /// More rows gain nothing, and take longer to prepare.
  var batchSize: Int { Swift.max(1, Swift.min(50, 500 / columns.count)) }

  /// Inserts rows.
  ///
  /// Existing rows with the same key stay unchanged.
  func insert(rows: Int = 1) -> String {
    "\(insertion(rows)) ON CONFLICT (\(keyList)) DO NOTHING"
  }

  /// Inserts rows, or updates the existing rows with the same keys.
  func upsert(rows: Int = 1) -> String {
    let changes = assignments { "excluded.\($0)" }
    return changes.isEmpty
      ? insert(rows: rows)
      : "\(insertion(rows)) ON CONFLICT (\(keyList)) DO UPDATE SET \(changes)"
  }

  /// Updates the row with the key.
  ///
  /// The parameters are those of ``insert(rows:)``.
  var update: String {
    let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0 + 1) })
    let changed = columns.indices.filter { !key.contains($0) }
    // A table with only its key has nothing to change, but still reports whether the row exists.
    let set = (changed.isEmpty ? key : changed).map { position in
      let name = columns[position].name
      return "\(name.quoted) = ?\(places[name] ?? 0)"
    }
    return "UPDATE \(table.quoted) SET \(set.joined(separator: ", ")) WHERE "
      + keyCondition { position in "?\(position + 1)" }
  }

  /// Removes the row with the key.
  ///
  /// The parameters are the key's columns.
  var remove: String {
    "DELETE FROM \(table.quoted) WHERE " + keyCondition { _ in "?" }
  }

  /// Reads rows by their numbers, for a table whose key is the number.
  func select(rowIDs: Int) -> String {
    "SELECT \(columnList) FROM \(table.quoted) WHERE \(rowIDCondition(rowIDs))"
  }

  /// Removes rows by their numbers.
  func remove(rowIDs: Int) -> String {
    "DELETE FROM \(table.quoted) WHERE \(rowIDCondition(rowIDs))"
  }

  /// Reads the rows with numbers between two, both included.
  var selectRange: String {
    "SELECT \(columnList) FROM \(table.quoted) WHERE \(keyList) BETWEEN ? AND ?"
  }

  /// Removes the rows with numbers between two, both included.
  var removeRange: String { "DELETE FROM \(table.quoted) WHERE \(keyList) BETWEEN ? AND ?" }

  /// Reads the row with the key.
  ///
  /// The parameters are the key's columns.
  var selectOne: String {
    "SELECT \(columnList) FROM \(table.quoted) WHERE " + keyCondition { _ in "?" }
  }

  /// The key's column if it is the number of the row, so that it holds only integers.
  var rowID: Int? {
    key.count == 1 && columns[key[0]].type == "INTEGER" ? key[0] : nil
  }

  private var keyList: String { key.map { columns[$0].name.quoted }.joined(separator: ", ") }

  private func insertion(_ rows: Int) -> String {
    let values = (0..<rows).map { row in
      "("
        + columns.indices.map { "?\(row * columns.count + $0 + 1)" }.joined(separator: ", ")
        + ")"
    }
    return "INSERT INTO \(table.quoted) (\(columnList)) VALUES \(values.joined(separator: ", "))"
  }

  private func rowIDCondition(_ count: Int) -> String {
    "\(keyList) IN (\(Array(repeating: "?", count: count).joined(separator: ", ")))"
  }

  private func assignments(_ value: (String) -> String) -> String {
    columns.indices.filter { !key.contains($0) }.map { position in
      let name = columns[position].name.quoted
      return "\(name) = \(value(name))"
    }.joined(separator: ", ")
  }

  func keyCondition(_ parameter: (Int) -> String) -> String {
    key.map { "\(columns[$0].name.quoted) = \(parameter($0))" }.joined(separator: " AND ")
  }
}

extension Column {
  /// Whether each row has a value.
  ///
  /// JSON of any kind may itself be null.
  var isRequired: Bool { !isOptional && kind != .json }

  /// The column as the table's definition declares it.
  var definition: String { "\(name.quoted) \(type)\(isRequired ? " NOT NULL" : "")" }
}
