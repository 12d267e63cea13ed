internal import Evocation

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

  /// What stands in place of a kind where the column holds JSON.
  private static var json: UInt32 { 0xFF }

  /// Makes the slot of a column with values of this kind; nil for JSON.
  init(_ position: Int, _ kind: ScalarKind?) {
    let holds = kind?.code ?? Self.json
    bits = UInt32(truncatingIfNeeded: position & 0xFFFF) | holds << 16
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

  /// Whether the column holds values of this kind.
  @inline(__always)
  func holds(_ kind: ScalarKind) -> Bool { bits >> 16 == kind.code }

  /// Whether the column holds JSON, whatever is written to it or read from it.
  @inline(__always)
  var isJSON: Bool { bits >> 16 == Self.json }

  /// Whether values lie in the column as they are.
  @inline(__always)
  var isPlain: Bool { bits >> 16 < Self.json }
}
