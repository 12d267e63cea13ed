internal import CEvocationSQLite

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
