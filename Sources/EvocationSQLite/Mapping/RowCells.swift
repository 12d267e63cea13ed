public import Foundation

/// Reads the cells of the present row for a mapping by hand, each kind by a function of its own.
///
/// It points to what the statement owns without holding it, because it lasts no longer than a row.
@usableFromInline struct RowCells {
  unowned(unsafe) let decoder: RowDecoder
  unowned(unsafe) let places: PlaceTable
  let reader: UnsafeMutablePointer<ColumnReader>

  init(_ decoder: RowDecoder, _ places: PlaceTable) {
    self.decoder = decoder
    self.places = places
    reader = decoder.reader
  }

  @usableFromInline
  func place(named name: String) -> ColumnPlace { places.place(of: name) }

  @usableFromInline
  func isNull(_ place: ColumnPlace) throws -> Bool {
    if place.isUnknown { throw places.unknownKey }
    return reader.pointee.isNull(place.position)
  }

  @usableFromInline
  func integer(_ place: ColumnPlace) throws -> Int64 {
    try cell(place, .integer) { $0.integer($1) }
  }

  @usableFromInline
  func int(_ place: ColumnPlace) throws -> Int {
    try cell(place, .integer) { $0.integer($1) }
  }

  @usableFromInline
  func bool(_ place: ColumnPlace) throws -> Bool {
    try cell(place, .bool) { $0.bool($1) }
  }

  @usableFromInline
  func real(_ place: ColumnPlace) throws -> Double {
    try cell(place, .real) { $0.double($1) }
  }

  @usableFromInline
  func text(_ place: ColumnPlace) throws -> String {
    try cell(place, .text) { $0.text($1) }
  }

  @usableFromInline
  func date(_ place: ColumnPlace) throws -> Date {
    try cell(place, .date) { $0.date($1) }
  }

  @usableFromInline
  func uuid(_ place: ColumnPlace) throws -> UUID {
    try cell(place, .uuid) { $0.uuid($1) }
  }

  /// Reads a value of any other type as `Codable` does.
  @usableFromInline
  func other<Value: Decodable>(_ place: ColumnPlace, _ type: Value.Type) throws -> Value {
    try places.check(place, type, isWriting: false)
    return try ColumnDecoder(row: decoder, entry: place.entry).value(type)
  }

  @inline(__always)
  private func cell<Value: Decodable>(
    _ place: ColumnPlace, _ storage: Column.Storage, _ read: (ColumnReader, Int32) -> Value?
  ) throws -> Value {
    if place.holds(storage), let value = read(reader.pointee, place.position) { return value }
    return try other(place, Value.self)
  }
}
