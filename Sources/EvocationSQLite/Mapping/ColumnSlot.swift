/// Where a column stands in a statement, and how it holds its values, in one word.
@usableFromInline struct ColumnSlot: Sendable {
  /// A key whose column was not looked up yet.
  static var unlearned: ColumnSlot { ColumnSlot(bits: .max) }

  /// No column of the table.
  static var unknown: ColumnSlot { ColumnSlot(bits: .max - 1) }

  /// A column that the statement does not have.
  static var elsewhere: ColumnSlot { ColumnSlot(bits: .max - 2) }

  private let bits: UInt32

  private init(bits: UInt32) { self.bits = bits }

  init(_ position: Int, _ storage: Column.Storage) {
    bits = UInt32(truncatingIfNeeded: position & 0xFFFF) | UInt32(storage.rawValue) << 16
  }

  /// Whether the statement has the column.
  @inline(__always)
  var isThere: Bool { bits < 0xFFFF_0000 }

  @inline(__always)
  var isUnlearned: Bool { bits == .max }

  @inline(__always)
  var isUnknown: Bool { bits >= .max - 1 }

  @inline(__always)
  var isElsewhere: Bool { bits == .max - 2 }

  /// The column's place in the statement, from zero; one that no statement has where it is not there.
  @inline(__always)
  var position: Int32 { Int32(bits & 0xFFFF) }

  /// Whether the column holds its values so.
  @inline(__always)
  func holds(_ storage: Column.Storage) -> Bool { bits >> 16 == UInt32(storage.rawValue) }

  /// Whether the column holds JSON, whatever is written to it or read from it.
  @inline(__always)
  var isJSON: Bool { holds(.json) }

  /// Whether values lie in the column as they are.
  @inline(__always)
  var isPlain: Bool { bits >> 16 < UInt32(Column.Storage.json.rawValue) }
}
