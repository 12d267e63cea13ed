internal import Evocation

extension TablePlan {
  /// All columns, in the plan's order.
  var columnList: String { columns.map(\.name.quoted).joined(separator: ", ") }

  /// Makes the table; one whose key is no single integer has its rows in the key's own tree.
  var create: String {
    let definitions = columns.map { column in
      "\(column.name.quoted) \(column.type)\(column.isRequired ? " NOT NULL" : "")"
    }
    let isRowID = key.count == 1 && columns[key[0]].type == "INTEGER"
    return "CREATE TABLE \(table.quoted) (\(definitions.joined(separator: ", ")), "
      + "PRIMARY KEY (\(keyList)))\(isRowID ? "" : " WITHOUT ROWID")"
  }

  /// Adds a row, or does nothing when its key is there.
  var insert: String { "\(insertion) ON CONFLICT (\(keyList)) DO NOTHING" }

  /// Adds a row, or changes the one that has its key.
  var upsert: String {
    let changes = assignments { "excluded.\($0)" }
    return changes.isEmpty
      ? insert : "\(insertion) ON CONFLICT (\(keyList)) DO UPDATE SET \(changes)"
  }

  /// Changes the row that has the key; the parameters are those of ``insert``.
  var update: String {
    let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0 + 1) })
    let changed = columns.indices.filter { !key.contains($0) }
    // A table of nothing but its key has nothing to change, and still says whether the row is there.
    let set = (changed.isEmpty ? key : changed).map { position in
      let name = columns[position].name
      return "\(name.quoted) = ?\(places[name] ?? 0)"
    }
    return "UPDATE \(table.quoted) SET \(set.joined(separator: ", ")) WHERE "
      + keyCondition { position in "?\(position + 1)" }
  }

  /// Removes the row that has the key; the parameters are the key's columns.
  var remove: String {
    "DELETE FROM \(table.quoted) WHERE " + keyCondition { _ in "?" }
  }

  /// Reads the row that has the key; the parameters are the key's columns.
  var selectOne: String {
    "SELECT \(columnList) FROM \(table.quoted) WHERE " + keyCondition { _ in "?" }
  }

  private var keyList: String { key.map { columns[$0].name.quoted }.joined(separator: ", ") }

  private var insertion: String {
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT INTO \(table.quoted) (\(columnList)) VALUES (\(parameters))"
  }

  private func assignments(_ value: (String) -> String) -> String {
    columns.indices.filter { !key.contains($0) }.map { position in
      let name = columns[position].name.quoted
      return "\(name) = \(value(name))"
    }.joined(separator: ", ")
  }

  private func keyCondition(_ parameter: (Int) -> String) -> String {
    key.map { "\(columns[$0].name.quoted) = \(parameter($0))" }.joined(separator: " AND ")
  }
}

extension Column {
  /// Whether each row has a value; JSON of any kind may itself be null.
  var isRequired: Bool { !isOptional && kind != .json }
}
