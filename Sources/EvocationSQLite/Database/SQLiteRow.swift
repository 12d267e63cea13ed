public import Evocation

/// One row that a statement gave, its values as SQLite holds them.
///
/// A value is `.integer`, `.real`, `.text`, `.data` or `.null`: what a column means beyond that is
/// written in the documentation of ``SQLiteRepository``.
public struct SQLiteRow: Sendable, Hashable {
  /// The values, in the order of the columns.
  public let values: [Criteria.Scalar]

  private let names: Columns

  init(_ names: Columns, _ statement: Statement) {
    self.names = names
    values = (0..<statement.columnCount).map { statement.value(at: $0).scalar }
  }

  /// The names of the columns.
  public var columns: [String] { names.names }

  /// The value of the first column of this name, or nil when there is no such column.
  public subscript(name: String) -> Criteria.Scalar? {
    names.names.firstIndex(of: name).map { values[$0] }
  }
}
