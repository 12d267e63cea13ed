public import Foundation

/// The present row of a table, from which a model reads its properties by their coding keys.
///
/// Made for ``SQLiteMappedModel/init(row:)``, and of use only there.
public struct SQLiteRowReader<Columns: CodingKey>: ~Copyable {
  @usableFromInline let cells: RowCells
  @usableFromInline let slots: UnsafePointer<ColumnSlot>

  init(_ cells: RowCells) {
    self.cells = cells
    slots = UnsafePointer(cells.mapped.keys.slots)
  }

  /// Gives what the column holds, which must be a value of this type.
  ///
  /// ```swift
  /// city = try row.read(.city)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with the code `misuse` when the column is for another type,
  ///   `DecodingError` when the row has nothing there, or something else.
  @inlinable
  public func read<Value: Decodable>(
    _ column: Columns, as type: Value.Type = Value.self
  ) throws -> Value {
    let slot = slot(column)
    // Where the type is known to the compiler, one line of these is left.
    if type == Int.self { return Self.same(try cells.int(slot)) }
    if type == Int64.self { return Self.same(try cells.integer(slot)) }
    if type == String.self { return Self.same(try cells.text(slot)) }
    if type == Double.self { return Self.same(try cells.real(slot)) }
    if type == Bool.self { return Self.same(try cells.bool(slot)) }
    if type == Date.self { return Self.same(try cells.date(slot)) }
    if type == UUID.self { return Self.same(try cells.uuid(slot)) }
    return try cells.other(slot, type)
  }

  /// Gives what the column holds, or nil when the row has nothing there.
  ///
  /// ```swift
  /// note = try row.readIfPresent(.note)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with the code `misuse` when the column is for another type,
  ///   `DecodingError` when the row has something else there.
  @inlinable
  public func readIfPresent<Value: Decodable>(
    _ column: Columns, as type: Value.Type = Value.self
  ) throws -> Value? {
    if try cells.isNull(slot(column)) { return nil }
    return try read(column, as: type)
  }

  @inlinable
  func slot(_ column: Columns) -> ColumnSlot {
    guard MemoryLayout<Columns>.size == 1 else { return cells.slot(named: column.stringValue) }
    return slots[Int(unsafeBitCast(column, to: UInt8.self))]
  }

  /// Gives a value as the type that it is of already, which a cast would look up.
  @inlinable
  static func same<Known, Value>(_ value: Known) -> Value {
    unsafeBitCast(value, to: Value.self)
  }
}
