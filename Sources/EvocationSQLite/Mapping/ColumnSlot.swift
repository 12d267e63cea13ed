internal import Evocation

/// A column's position in a statement, and how it stores its values, in one word.
@usableFromInline struct ColumnSlot: Sendable {
  /// A key whose column has not been looked up yet.
  static var unlearned: ColumnSlot { ColumnSlot(bits: .max) }

  /// A key without a column in the table.
  static var unknown: ColumnSlot { ColumnSlot(bits: .max - 1) }

  /// A column that the statement does not have.
  static var elsewhere: ColumnSlot { ColumnSlot(bits: .max - 2) }

  private let bits: UInt32

  private init(bits: UInt32) { self.bits = bits }

  /// The code for JSON, in place of a kind.
  private static var json: UInt32 { 0xFF }

  /// Creates the slot of a column with values of this kind; nil for JSON.
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

  /// The column's position in the statement, from zero; impossible if the statement does not have
  /// it.
  @inline(__always)
  var position: Int32 { Int32(bits & 0xFFFF) }

  /// Returns whether the column holds values of this kind.
  @inline(__always)
  func holds(_ kind: ScalarKind) -> Bool { bits >> 16 == kind.code }

  /// Whether the column holds JSON, for every type of the model.
  @inline(__always)
  var isJSON: Bool { bits >> 16 == Self.json }

  /// Whether the column holds single values, not JSON.
  @inline(__always)
  var isPlain: Bool { bits >> 16 < Self.json }
}
