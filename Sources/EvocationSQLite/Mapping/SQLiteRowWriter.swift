public import Foundation

/// The row of a table to which a model writes its properties by their coding keys.
///
/// Made for ``SQLiteMappedModel/write(to:)``, and of use only there.
public struct SQLiteRowWriter<Columns: CodingKey>: ~Copyable {
  @usableFromInline let parameters: RowParameters
  @usableFromInline let places: UnsafePointer<ColumnPlace>

  init(_ parameters: RowParameters) {
    self.parameters = parameters
    places = UnsafePointer(parameters.places.places)
  }

  /// Writes a value to the column, in the form that `Codable` gives it.
  ///
  /// ```swift
  /// try row.write(city, to: .city)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with the code `misuse` when the column is for another type, or was
  ///   written already; what the value's own coding throws.
  @inlinable
  public mutating func write<Value: Codable>(_ value: Value, to column: Columns) throws {
    let place = place(column)
    let type = Value.self
    // Where the type is known to the compiler, one line of these is left.
    if type == Int.self { return try parameters.int(Self.same(value, Int.self), place) }
    if type == Int64.self { return try parameters.integer(Self.same(value, Int64.self), place) }
    if type == String.self { return try parameters.text(Self.same(value, String.self), place) }
    if type == Double.self { return try parameters.real(Self.same(value, Double.self), place) }
    if type == Bool.self { return try parameters.bool(Self.same(value, Bool.self), place) }
    if type == Date.self { return try parameters.date(Self.same(value, Date.self), place) }
    if type == UUID.self { return try parameters.uuid(Self.same(value, UUID.self), place) }
    return try parameters.other(value, place)
  }

  /// Writes a value to the column, and null for nil.
  ///
  /// ```swift
  /// try row.writeIfPresent(note, to: .note)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with the code `misuse` when the column is for another type, or was
  ///   written already; what the value's own coding throws.
  @inlinable
  public mutating func writeIfPresent<Value: Codable>(
    _ value: Value?, to column: Columns
  ) throws {
    guard let value else { return try parameters.null(place(column)) }
    try write(value, to: column)
  }

  @inlinable
  func place(_ column: Columns) -> ColumnPlace {
    guard MemoryLayout<Columns>.size == 1 else {
      return parameters.place(named: column.stringValue)
    }
    return places[Int(unsafeBitCast(column, to: UInt8.self))]
  }

  /// Gives a value as the type that it is of already, which a cast would look up.
  @inlinable
  static func same<Value, Known>(_ value: Value, _ type: Known.Type) -> Known {
    unsafeBitCast(value, to: type)
  }
}
