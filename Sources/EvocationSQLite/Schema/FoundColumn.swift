/// A column as the database describes it.
struct FoundColumn {
  let name: String
  let type: String
  let isRequired: Bool
  let keyPosition: Int64
  private let hasDefault: Bool

  /// The columns of a table, or none when there is no such table.
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
      found.append(
        FoundColumn(
          name: name, type: type, isRequired: isRequired != 0, keyPosition: keyPosition,
          hasDefault: statement.value(at: 4) != .null))
    }
    return found
  }

  /// Why no row can be written without a value for this column; nil if one can.
  ///
  /// It is asked of columns that the model does not have.
  var unfillableFault: String? {
    isRequired && !hasDefault ? "\(name.quoted) is not of the model, and wants a value" : nil
  }

  /// Whether it has this name; SQLite takes names that differ in case only for the same.
  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}
