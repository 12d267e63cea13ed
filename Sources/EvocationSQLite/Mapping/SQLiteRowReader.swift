public import Evocation
public import Foundation

/// The present row of a table, from which a model reads its properties by their coding keys.
///
/// You receive it in ``SQLiteMappedModel/init(row:)``, and can use it only there.
///
/// ```swift
/// init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
///   id = try row.read(.id)
///   city = try row.read(.city)
///   start = try row.read(.start)
///   note = try row.readIfPresent(.note)
/// }
/// ```
public struct SQLiteRowReader<Columns: CodingKey>: ~Copyable {
  @usableFromInline unowned(unsafe) let cells: MappedCells  // the statement keeps them
  @usableFromInline let slots: UnsafePointer<PropertySlot>

  init(_ cells: MappedCells) {
    self.cells = cells
    slots = UnsafePointer(cells.keys.slots)
  }

  /// Returns the column's value, which must be of this type.
  ///
  /// ```swift
  /// city = try row.read(.city)
  /// ```
  ///
  /// - Parameters:
  ///   - column: The coding key of the column.
  ///   - type: The type of the property.
  /// - Returns: The value.
  /// - Throws: ``SQLiteError`` with the code `misuse` if the column is for another type,
  ///   `DecodingError` if the row has no value there, or a wrong one.
  @inlinable
  public func read<Value: Decodable>(
    _ column: Columns, as type: Value.Type = Value.self
  ) throws -> Value {
    let slot = slot(column)
    // If the compiler knows the type, one of these lines is left.
    if type == Int.self { return Self.same(try cells.int(slot)) }
    if type == Int64.self { return Self.same(try cells.integer(slot)) }
    if type == String.self { return Self.same(try cells.text(slot)) }
    if type == Double.self { return Self.same(try cells.real(slot)) }
    if type == Bool.self { return Self.same(try cells.bool(slot)) }
    if type == Date.self { return Self.same(try cells.date(slot)) }
    if type == UUID.self { return Self.same(try cells.uuid(slot)) }
    return try cells.other(slot, type)
  }

  /// Returns the column's value, or nil if the row has no value there.
  ///
  /// ```swift
  /// note = try row.readIfPresent(.note)
  /// ```
  ///
  /// - Parameters:
  ///   - column: The coding key of the column.
  ///   - type: The type of the property.
  /// - Returns: The value, or nil.
  /// - Throws: ``SQLiteError`` with the code `misuse` if the column is for another type,
  ///   `DecodingError` if the row has a wrong value there.
  @inlinable
  public func readIfPresent<Value: Decodable>(
    _ column: Columns, as type: Value.Type = Value.self
  ) throws -> Value? {
    if try cells.isNull(slot(column)) { return nil }
    return try read(column, as: type)
  }

  @inlinable
  func slot(_ column: Columns) -> PropertySlot {
    guard MemoryLayout<Columns>.size == 1 else { return cells.slot(named: column.stringValue) }
    return slots[Int(unsafeBitCast(column, to: UInt8.self))]
  }

  /// Returns a value as the type that it already has, which a cast would look up.
  @inlinable
  static func same<Known, Value>(_ value: Known) -> Value {
    unsafeBitCast(value, to: Value.self)
  }
}
