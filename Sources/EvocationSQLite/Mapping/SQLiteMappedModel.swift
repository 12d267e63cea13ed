/// A model that reads itself from a row and writes itself to one, without `Codable`'s containers.
///
/// ```swift
/// struct Ride: SQLiteMappedModel {
///   enum CodingKeys: CodingKey, CaseIterable { case id, city, start, note }
///
///   var id: Int
///   var city: String
///   var start: Date
///   var note: String?
/// }
///
/// extension Ride {
///   init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
///     id = try row.read(.id)
///     city = try row.read(.city)
///     start = try row.read(.start)
///     note = try row.readIfPresent(.note)
///   }
///
///   func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
///     try row.write(id, to: .id)
///     try row.write(city, to: .city)
///     try row.write(start, to: .start)
///     try row.writeIfPresent(note, to: .note)
///   }
/// }
/// ```
///
/// A mapping is optional. It halves the time to read many models, and changes nothing else.
/// Evocation derives the table, its columns and their content from the `Codable` type in both
/// cases. Criteria, migrations and files are therefore the same with and without such a mapping.
///
/// ## Columns
///
/// `CodingKeys` are the columns. Each value has the same form as with `Codable`, because the same
/// code writes it. `Bool`, `Int`, `Int64`, `Double`, `String`, `Date` and `UUID` are the fastest.
/// Every other `Codable` type is coded as usual.
///
/// Read a property that a row may lack, because the property is new and has a default, with
/// `readIfPresent`, and put its default after `??`.
///
/// ## Errors
///
/// `SQLiteRepository.init` throws if the keys are not the columns. Reading and writing throw
/// ``SQLiteError`` with the code `misuse` if a value's type is not the column's, and if a column
/// was not written, or written twice. As for every model, they throw `DecodingError` if a row has
/// null, or a value that the column should not have.
public protocol SQLiteMappedModel: SQLiteModel {
  /// The columns: the model's own coding keys, all of them.
  associatedtype CodingKeys: CodingKey & CaseIterable

  /// Creates the model from the present row.
  ///
  /// - Parameter row: The row to read from. It is valid only inside the initializer.
  /// - Throws: What the row's methods throw, or an error of your own.
  init(row: borrowing SQLiteRowReader<CodingKeys>) throws

  /// Writes each column once, in any order.
  ///
  /// - Parameter row: The row to write to. It is valid only inside the method.
  /// - Throws: What the row's methods throw, or an error of your own.
  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws
}
