internal import CEvocationSQLite
public import Evocation

/// One row of a statement's result, with its values as SQLite stores them.
///
/// A value is `.integer`, `.real`, `.text`, `.data` or `.null`. <doc:SQLite> lists how
/// properties of models are stored as these.
///
/// Your app reads the columns by their names:
///
/// ```swift
/// for row in try db.rows("SELECT id, name FROM car") {
///   guard case .text(let name)? = row["name"], let id = row["id"] else { continue }
///   try db.execute(
///     "UPDATE car SET name = ? WHERE id = ?", [name.trimmingCharacters(in: .whitespaces), id])
/// }
/// ```
public struct SQLiteRow: Sendable, Hashable {
  /// The values, in the order of the columns.
  public let values: [Criteria.Scalar]

  /// The names of the columns, in their order.
  public let columns: [String]

  /// Reads the present row of a statement; `columns` are its names, which all of its rows share.
  init(_ columns: [String], _ statement: Statement) {
    self.columns = columns
    values = (0..<statement.columnCount).map { statement.value(at: $0).scalar }
  }

  /// The value of the first column with this name, or nil if there is no such column.
  public subscript(name: String) -> Criteria.Scalar? {
    columns.firstIndex(of: name).map { values[$0] }
  }
}

extension Statement {
  /// The names of the columns of the result.
  var columnNames: [String] {
    (0..<columnCount).map { index in
      sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
  }
}
