internal import CEvocationSQLite

/// A column as the database describes it.
struct FoundColumn {
  let name: String
  let type: String
  let isRequired: Bool
  let keyPosition: Int64
  /// How it compares text; nil if unknown, as in a view.
  let collation: String?
  /// Whether SQLite provides a missing value: the column has a default, or is generated.
  private let fillsItself: Bool

  /// Returns the columns of a table, or none if there is no such table.
  static func all(of table: String, _ connection: Connection) throws -> [FoundColumn] {
    let statement = try connection.statement("PRAGMA table_xinfo(\(table.quoted))")
    defer { statement.reset() }
    var found: [FoundColumn] = []
    while try connection.step(statement, "Reading the schema") {
      guard case .text(let name) = statement.value(at: 1),
        case .text(let type) = statement.value(at: 2),
        case .integer(let isRequired) = statement.value(at: 3),
        case .integer(let keyPosition) = statement.value(at: 5)
      else { continue }
      // The numbers 2 and 3 mark generated columns.
      let isGenerated = [.integer(2), .integer(3)].contains(statement.value(at: 6))
      found.append(
        FoundColumn(
          name: name, type: type, isRequired: isRequired != 0, keyPosition: keyPosition,
          collation: collation(of: name, in: table, connection),
          fillsItself: isGenerated || statement.value(at: 4) != .null))
    }
    return found
  }

  private static func collation(
    of column: String, in table: String, _ connection: Connection
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
    isRequired && !fillsItself ? "\(name.quoted) is not of the model, and wants a value" : nil
  }

  /// The type, with the collation of decimal numbers, which distinguishes them from other text.
  var fullType: String {
    let isByValue = collation?.lowercased() == "evocation_decimal"
    return type.uppercased() + (isByValue ? " COLLATE evocation_decimal" : "")
  }

  /// Returns whether it has this name.
  ///
  /// SQLite ignores the case of names.
  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}
