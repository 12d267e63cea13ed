/// Which of a plan's columns a statement has, and where.
final class ColumnTable: Sendable {
  let columns: [Column]

  /// For each place in the statement, the column that stands there.
  let positions: [Int]
  private let entries: [String: Int32]

  /// Makes the table; `positions` says where the statement has the columns that it has.
  init(_ columns: [Column], positions: [Int]) {
    self.columns = columns
    self.positions = positions
    entries = [String: Int32](
      positions.enumerated().map { place, position in
        let column = columns[position]
        let flag = column.storage == .json ? KeyTable.jsonFlag : 0
        return (column.name, Int32(place) | flag)
      }, uniquingKeysWith: { first, _ in first })
  }

  func entry(_ name: String) -> Int32 { entries[name] ?? KeyTable.absent }
}
