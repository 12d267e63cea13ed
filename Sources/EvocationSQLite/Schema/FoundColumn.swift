internal import CEvocationSQLite
internal import Evocation

/// A column as the database describes it.
struct FoundColumn {
  let name: String
  /// The name by which columns are compared: SQLite ignores the case of names.
  let lowercased: String
  let type: String
  let isRequired: Bool
  let keyPosition: Int64
  /// How it compares text; nil if unknown, as in a view.
  let collation: String?
  /// Whether SQLite computes its values, so that none can be written.
  let isGenerated: Bool
  fileprivate let hasDefault: Bool

  /// Whether a row may have null there.
  var takesNull: Bool { !isRequired && keyPosition == 0 }

  /// Returns the columns of a table, or none if there is no such table.
  static func all(of table: String, _ connection: Connection) throws -> [FoundColumn] {
    let sql = "PRAGMA table_xinfo(\(table.quoted))"
    return try connection.all(sql, [], action: "Reading the schema") { statement in
      guard let name = statement.text(at: 1), let type = statement.text(at: 2) else { return nil }
      // The numbers 2 and 3 mark generated columns.
      let isGenerated = [2, 3].contains(statement.integer(at: 6))
      return FoundColumn(
        name: name, lowercased: name.lowercased(), type: type,
        isRequired: statement.integer(at: 3) != 0,
        keyPosition: statement.integer(at: 5),
        collation: collation(of: name, in: table, connection: connection),
        isGenerated: isGenerated, hasDefault: statement.value(at: 4) != .null)
    }
  }

  private static func collation(
    of column: String, in table: String, connection: Connection
  ) -> String? {
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection.handle, nil, table, column, nil, &collation, nil, nil, nil)
    return code == SQLITE_OK ? collation.map { String(cString: $0) } : nil
  }

  /// The reason why no row can be written without a value for this column; nil if one can.
  ///
  /// It is for columns that the model does not have.
  var unfillableFault: String? {
    isRequired && !isGenerated && !hasDefault
      ? "\(name.quoted) is not of the model, and wants a value" : nil
  }

  /// The type, with a collation by which text compares otherwise than byte by byte.
  ///
  /// That of decimal numbers distinguishes them from other text. Any other one finds other models than
  /// memory does.
  var fullType: String {
    guard let collation, collation.uppercased() != "BINARY" else { return type.uppercased() }
    let isByValue = collation.lowercased() == "evocation_decimal"
    return type.uppercased() + " COLLATE \(isByValue ? collation.lowercased() : collation)"
  }
}

extension TablePlan {
  /// The columns of a table that was created by ``create``.
  var found: [FoundColumn] {
    columns.enumerated().map { position, column in
      FoundColumn(
        name: column.name, lowercased: column.name.lowercased(), type: column.plainType,
        isRequired: column.isRequired,
        keyPosition: key.firstIndex(of: position).map { Int64($0) + 1 } ?? 0, collation: nil,
        isGenerated: false, hasDefault: false)
    }
  }
}
