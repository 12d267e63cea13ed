/// Where a column stands in a statement, and how it holds its values, in one word.
@usableFromInline struct ColumnPlace {
  /// No column of the table.
  static var unknown: ColumnPlace { ColumnPlace(bits: .max) }

  /// A column that the statement does not have.
  static var elsewhere: ColumnPlace { ColumnPlace(bits: .max - 1) }

  private let bits: UInt32

  private init(bits: UInt32) { self.bits = bits }

  init(_ position: Int, _ storage: Column.Storage) {
    bits = UInt32(truncatingIfNeeded: position) | UInt32(storage.rawValue) << 16
  }

  @inline(__always)
  var isUnknown: Bool { bits == .max }

  @inline(__always)
  var isElsewhere: Bool { bits == .max - 1 }

  /// The column's place in the statement, from zero.
  @inline(__always)
  var position: Int32 { Int32(bits & 0xFFFF) }

  /// Whether the column holds its values so.
  @inline(__always)
  func holds(_ storage: Column.Storage) -> Bool { bits >> 16 == UInt32(storage.rawValue) }

  /// The column with the flag, as coders have it.
  var entry: Int32 { holds(.json) ? position | KeyTable.jsonFlag : position }
}
