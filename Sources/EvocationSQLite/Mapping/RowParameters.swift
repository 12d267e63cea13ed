public import Foundation

/// Writes the parameters of one row for a mapping by hand, each kind by a function of its own.
///
/// A column that the statement does not have, as when it finds a row by its key, is passed over.
@usableFromInline struct RowParameters {
  unowned(unsafe) let encoder: RowEncoder  // it lasts longer than a row, as the places do
  unowned(unsafe) let places: PlaceTable
  let writer: UnsafeMutablePointer<ParameterWriter>

  init(_ encoder: RowEncoder, _ places: PlaceTable) {
    self.encoder = encoder
    self.places = places
    writer = encoder.writer
  }

  @usableFromInline
  func place(named name: String) -> ColumnPlace { places.place(of: name) }

  @usableFromInline
  func null(_ place: ColumnPlace) throws {
    if try begins(place) { writer.pointee.null(place.position) }
  }

  @usableFromInline
  func int(_ value: Int, _ place: ColumnPlace) throws {
    try write(value, place, .integer) { $0.integer($1, $2) }
  }

  @usableFromInline
  func integer(_ value: Int64, _ place: ColumnPlace) throws {
    try write(value, place, .integer) { $0.integer($1, $2) }
  }

  @usableFromInline
  func bool(_ value: Bool, _ place: ColumnPlace) throws {
    try write(value, place, .bool) { $0.bool($1, $2) }
  }

  @usableFromInline
  func real(_ value: Double, _ place: ColumnPlace) throws {
    try write(value, place, .real) { $0.double($1, $2) }
  }

  @usableFromInline
  func text(_ value: String, _ place: ColumnPlace) throws {
    try write(value, place, .text) { $0.text($1, $2) }
  }

  @usableFromInline
  func date(_ value: Date, _ place: ColumnPlace) throws {
    try write(value, place, .date) { $0.double($1.timeIntervalSinceReferenceDate, $2) }
  }

  @usableFromInline
  func uuid(_ value: UUID, _ place: ColumnPlace) throws {
    try write(value, place, .uuid) { $0.uuid($1, $2) }
  }

  /// Writes a value of any other type as `Codable` does.
  @usableFromInline
  func other<Value: Codable>(_ value: Value, _ place: ColumnPlace) throws {
    guard try begins(place) else { return }
    try encode(value, place)
  }

  @inline(__always)
  private func write<Value: Codable>(
    _ value: Value, _ place: ColumnPlace, _ storage: Column.Storage,
    _ write: (inout ParameterWriter, Value, Int32) -> Void
  ) throws {
    guard try begins(place) else { return }
    if place.holds(storage) {
      write(&writer.pointee, value, place.position)
    } else {
      try encode(value, place)
    }
  }

  private func encode<Value: Codable>(_ value: Value, _ place: ColumnPlace) throws {
    try places.check(place, Value.self, isWriting: true)
    try ParameterEncoder(row: encoder, entry: place.entry).write(value)
  }

  /// Whether the statement has the column, which is thereby written.
  @inline(__always)
  private func begins(_ place: ColumnPlace) throws -> Bool {
    if place.isElsewhere { return false }
    if place.isUnknown { throw places.unknownKey }
    if !places.mark(place) { throw places.twice(place) }
    return true
  }
}
