internal import Evocation

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
  private let parameters: MappedParameters

  init(_ parameters: MappedParameters) {
    self.parameters = parameters
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
  public mutating func write<Value: Codable>(_ value: Value, to column: Columns) throws {
    try parameters.write(value, parameters.keys.slot(column))
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
  public mutating func writeIfPresent<Value: Codable>(
    _ value: Value?, to column: Columns
  ) throws {
    guard let value else { return try parameters.writeNil(parameters.keys.slot(column)) }
    try write(value, to: column)
  }
}
