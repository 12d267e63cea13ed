internal import Evocation

/// A column that was created for values of another type than its property has.
///
/// SQLite stores any value in any column, so such a column would be read and compared wrongly: text
/// in the order of numbers, or seconds as a date.
struct TypeFault {
  /// The fault, as a part of a sentence.
  let reason: String

  private let table: String
  private let column: Column
  /// Whether the column has to be created again, and not only its values changed.
  private let isOfDefinition: Bool

  /// Compares a column with the existing one, which the file says was created for `kind`.
  init?(_ column: Column, _ there: FoundColumn, kind: String?, table: String) {
    self.table = table
    self.column = column
    let expected = there.collation == nil ? column.plainType : column.type
    isOfDefinition = there.fullType != expected
    if isOfDefinition {
      let type = there.fullType == there.type.uppercased() ? there.type : there.fullType
      reason = "\(column.name.quoted) is \(type) instead of \(expected)"
    } else if let kind, !kind.isEmpty, kind != column.storedKind {
      reason =
        "\(column.name.quoted) was made for \(Column.words(kind)), and is to hold "
        + "\(Column.words(column.storedKind))"
    } else {
      return nil
    }
  }

  /// Returns the statements of a migration that would fix it.
  ///
  /// The app converts the values.
  func fix(_ connection: Connection) throws -> [String] {
    let (table, name) = (table.quoted, column.name.quoted)
    guard isOfDefinition else { return ["UPDATE \(table) SET \(name) = …"] }
    let old = "old \(column.name)".quoted
    return try indexes(connection).map { "DROP INDEX \($0.quoted)" } + [
      "ALTER TABLE \(table) RENAME COLUMN \(name) TO \(old)",
      "ALTER TABLE \(table) ADD COLUMN \(column.definition)"
        + (column.isRequired ? " DEFAULT \(column.emptyValue)" : ""),
      "UPDATE \(table) SET \(name) = \(old)", "ALTER TABLE \(table) DROP COLUMN \(old)",
    ]
  }

  /// Returns the indexes that must be dropped before the column.
  private func indexes(_ connection: Connection) throws -> [String] {
    try connection.texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND \
      instr(lower(sql), ?) ORDER BY name
      """, [.text(table), .text(column.name.quoted.lowercased())])
  }
}

extension Column {
  /// The type without the collation of decimal numbers.
  fileprivate var plainType: String {
    type.split(separator: " ").first.map(String.init) ?? ""
  }

  /// SQL for the temporary value of a row until it gets its own.
  fileprivate var emptyValue: String {
    switch kind.scalar {
    case .bool, .integer, .unsigned, .real, .date: "0"
    case .decimal: "'0'"
    case .text, .url: "''"
    case .uuid, .data: "x''"
    case nil: "'{}'"
    }
  }
}
