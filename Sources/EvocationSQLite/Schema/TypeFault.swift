internal import Evocation

/// A column that was created for values of another type than its property has.
///
/// SQLite stores any value in any column, so such a column would be read and compared wrongly: text
/// in the order of numbers, or seconds as a date.
struct TypeFault {
  /// The fault, as a part of a sentence.
  let reason: String

  /// The statements of a migration that would fix it, in which the app converts the values.
  let fix: [String]

  /// Compares a column with the existing one, which the file says was created for `kind`.
  init?(
    _ column: Column, _ there: FoundColumn, kind: String?, table: String, connection: Connection
  ) throws {
    let (owner, name) = (table.quoted, column.name.quoted)
    let expected = there.collation == nil ? column.plainType : column.type
    if there.fullType != expected {
      let type = there.fullType == there.type.uppercased() ? there.type : there.fullType
      reason = "\(name) is \(type) instead of \(expected)"
      let old = "old \(column.name)".quoted
      // Indexes must be dropped before the column.
      let indexes = try connection.texts(
        """
        SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND \
        instr(lower(sql), ?) ORDER BY name
        """, [.text(table), .text(name.lowercased())])
      fix =
        indexes.map { "DROP INDEX \($0.quoted)" } + [
          "ALTER TABLE \(owner) RENAME COLUMN \(name) TO \(old)",
          "ALTER TABLE \(owner) ADD COLUMN \(column.definition)"
            + (column.isRequired ? " DEFAULT \(column.emptyValue)" : ""),
          "UPDATE \(owner) SET \(name) = \(old)", "ALTER TABLE \(owner) DROP COLUMN \(old)",
        ]
    } else if let kind, !kind.isEmpty, kind != column.storedKind {
      reason =
        "\(name) was made for \(Column.words(kind)), and is to hold "
        + "\(Column.words(column.storedKind))"
      fix = ["UPDATE \(owner) SET \(name) = …"]
    } else {
      return nil
    }
  }
}

extension TablePlan {
  /// Writes a temporary value into the rows that lack one.
  func filling(_ column: Column) -> String {
    let name = column.name.quoted
    return "UPDATE \(table.quoted) SET \(name) = \(column.emptyValue) WHERE \(name) IS NULL"
  }
}

extension Column {
  /// The type without the collation of decimal numbers.
  var plainType: String {
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
