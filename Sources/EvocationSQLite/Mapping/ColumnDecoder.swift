internal import Foundation

/// Decodes what one column holds: a value with an `init(from:)` of its own, or JSON.
struct ColumnDecoder: Decoder {
  let row: RowDecoder
  let entry: Int32

  var codingPath: [any CodingKey] {
    let column = Int(self.column)
    guard row.columns.positions.indices.contains(column) else { return [] }
    return [ColumnKey(row.columns.columns[row.columns.positions[column]].name)]
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try nested().container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try nested().unkeyedContainer()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    if isJSON { return try nested().singleValueContainer() }
    return ColumnValue(decoder: self)
  }

  /// Decodes any type: those that columns know by themselves, JSON, or by its `init(from:)`.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if isJSON { return try row.json.decode(type, from: reader.json(column)) }
    if type == Date.self { return try known(reader.date(column), type) }
    if type == UUID.self { return try known(reader.uuid(column), type) }
    if type == Data.self { return try known(reader.data(column), type) }
    if type == URL.self { return try known(reader.url(column), type) }
    if type == Decimal.self { return try known(reader.decimal(column), type) }
    return try Value(from: self)
  }

  /// Decodes a plain type from a column that does not hold it plainly: from JSON, or not at all.
  @inline(never)
  func unusual<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if isJSON { return try row.json.decode(type, from: reader.json(column)) }
    throw mismatch(type)
  }

  /// The decoder of the JSON that the column holds.
  func nested() throws -> any Decoder {
    try row.json.decode(DecoderCapture.self, from: reader.json(column)).decoder
  }

  var reader: ColumnReader { row.reader.pointee }
  var column: Int32 { entry < 0 ? -1 : entry & ~KeyTable.jsonFlag }

  func mismatch(_ type: Any.Type) -> DecodingError {
    if entry >= 0, reader.isNull(column) {
      return .valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "The column is null."))
    }
    return .typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "The column holds another type."))
  }

  private var isJSON: Bool { entry >= KeyTable.jsonFlag }

  @inline(__always)
  private func known<Known, Value>(_ value: Known?, _ type: Value.Type) throws -> Value {
    guard let value else { throw mismatch(type) }
    // The types are the same, as the caller has seen; a cast would look that up at every value.
    return unsafeBitCast(value, to: type)
  }
}

/// Takes the decoder out of a `JSONDecoder`, which gives it to nobody else.
private struct DecoderCapture: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) {
    self.decoder = decoder
  }
}
