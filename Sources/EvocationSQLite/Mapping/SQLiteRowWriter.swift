public import Foundation

/// The row of a table to which a model writes its properties by their coding keys.
///
/// You receive it in ``SQLiteMappedModel/write(to:)``, and can use it only there.
///
/// ```swift
/// func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
///   try row.write(id, to: .id)
///   try row.write(city, to: .city)
///   try row.write(start, to: .start)
///   try row.writeIfPresent(note, to: .note)
/// }
/// ```
public struct SQLiteRowWriter<Columns: CodingKey>: ~Copyable {
  @usableFromInline let parameters: RowParameters
  @usableFromInline let slots: UnsafePointer<ColumnSlot>

  init(_ parameters: RowParameters) {
    self.parameters = parameters
    slots = UnsafePointer(parameters.mapped.keys.slots)
  }

  /// Writes a value to the column, in the same form as with `Codable`.
  ///
  /// ```swift
  /// try row.write(city, to: .city)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value of the property.
  ///   - column: The coding key of the column.
  /// - Throws: ``SQLiteError`` with the code `misuse` if the column is for another type, or is
  ///   already written; what the value's own coding throws.
  @inlinable
  public mutating func write<Value: Codable>(_ value: Value, to column: Columns) throws {
    let slot = slot(column)
    let type = Value.self
    // If the compiler knows the type, one of these lines is left.
    if type == Int.self { return try parameters.int(Self.same(value, Int.self), slot) }
    if type == Int64.self { return try parameters.integer(Self.same(value, Int64.self), slot) }
    if type == String.self { return try parameters.text(Self.same(value, String.self), slot) }
    if type == Double.self { return try parameters.real(Self.same(value, Double.self), slot) }
    if type == Bool.self { return try parameters.bool(Self.same(value, Bool.self), slot) }
    if type == Date.self { return try parameters.date(Self.same(value, Date.self), slot) }
    if type == UUID.self { return try parameters.uuid(Self.same(value, UUID.self), slot) }
    return try parameters.other(value, slot)
  }

  /// Writes a value to the column, and null for nil.
  ///
  /// ```swift
  /// try row.writeIfPresent(note, to: .note)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value of the property.
  ///   - column: The coding key of the column.
  /// - Throws: ``SQLiteError`` with the code `misuse` if the column is for another type, or is
  ///   already written; what the value's own coding throws.
  @inlinable
  public mutating func writeIfPresent<Value: Codable>(
    _ value: Value?, to column: Columns
  ) throws {
    guard let value else { return try parameters.null(slot(column)) }
    try write(value, to: column)
  }

  @inlinable
  func slot(_ column: Columns) -> ColumnSlot {
    guard MemoryLayout<Columns>.size == 1 else {
      return parameters.slot(named: column.stringValue)
    }
    return slots[Int(unsafeBitCast(column, to: UInt8.self))]
  }

  /// Returns a value as the type that it already has, which a cast would look up.
  @inlinable
  static func same<Value, Known>(_ value: Value, _ type: Known.Type) -> Known {
    unsafeBitCast(value, to: type)
  }
}
