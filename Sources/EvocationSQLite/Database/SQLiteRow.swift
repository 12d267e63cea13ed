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

  private let names: Columns

  init(_ names: Columns, _ statement: Statement) {
    self.names = names
    values = (0..<statement.columnCount).map { statement.value(at: $0).scalar }
  }

  /// The names of the columns, in their order.
  public var columns: [String] { names.names }

  /// The value of the first column with this name, or nil if there is no such column.
  public subscript(name: String) -> Criteria.Scalar? {
    names.names.firstIndex(of: name).map { values[$0] }
  }
}

extension SQLiteRow {
  /// The names of the columns, which all rows of a statement share.
  final class Columns: Sendable, Hashable {
    let names: [String]

    init(_ statement: Statement) {
      names = (0..<statement.columnCount).map { index in
        sqlite3_column_name(statement.handle, index).map { String(cString: $0) } ?? ""
      }
    }

    static func == (left: Columns, right: Columns) -> Bool { left.names == right.names }
    func hash(into hasher: inout Hasher) { hasher.combine(names) }
  }
}
