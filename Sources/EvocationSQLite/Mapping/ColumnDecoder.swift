internal import Evocation
internal import Foundation

/// Decodes the content of one column: a value with its own `init(from:)`, or JSON.
struct ColumnDecoder: Decoder {
  let row: RowDecoder
  let slot: ColumnSlot

  var codingPath: [any CodingKey] {
    row.columns.column(column).map { [AnyKey($0.name)] } ?? []
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try nested().container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try nested().unkeyedContainer()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    if slot.isJSON { return try nested().singleValueContainer() }
    return ColumnValue(decoder: self)
  }

  /// Decodes a plain type from a column that stores it as JSON, or throws.
  @inline(never)
  func unusual<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if slot.isJSON { return try row.json.decode(type, from: reader.json(column)) }
    throw mismatch(type)
  }

  /// Returns the decoder of the column's JSON.
  func nested() throws -> any Decoder {
    try row.json.decode(DecoderCapture.self, from: reader.json(column)).decoder
  }

  var reader: ColumnReader { row.reader.pointee }
  var column: Int32 { slot.position }

  func mismatch(_ type: Any.Type) -> DecodingError {
    if slot.isThere, reader.isNull(column) {
      return .valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "The column is null."))
    }
    return .typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "The column holds another type."))
  }
}

/// Extracts the `Decoder` from a `JSONDecoder`, which passes it only to what it decodes.
private struct DecoderCapture: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) {
    self.decoder = decoder
  }
}

/// The single-value container of a column, from which raw-value enums and wrappers decode.
struct ColumnValue: SingleValueDecodingContainer {
  let decoder: ColumnDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.reader.isNull(decoder.column) }

  func decode(_ type: Bool.Type) throws -> Bool { try plain { $0.bool($1) } }
  func decode(_ type: String.Type) throws -> String { try plain { $0.text($1) } }
  func decode(_ type: Double.Type) throws -> Double { try plain { $0.double($1) } }
  func decode(_ type: Float.Type) throws -> Float { try plain { $0.double($1).map { Float($0) } } }
  func decode(_ type: Int.Type) throws -> Int { try plain { $0.integer($1) } }
  func decode(_ type: Int8.Type) throws -> Int8 { try plain { $0.integer($1) } }
  func decode(_ type: Int16.Type) throws -> Int16 { try plain { $0.integer($1) } }
  func decode(_ type: Int32.Type) throws -> Int32 { try plain { $0.integer($1) } }
  func decode(_ type: Int64.Type) throws -> Int64 { try plain { $0.integer($1) } }
  func decode(_ type: UInt.Type) throws -> UInt { try plain { $0.integer($1) } }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try plain { $0.integer($1) } }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try plain { $0.integer($1) } }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try plain { $0.integer($1) } }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try plain { $0.integer($1) } }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.value(type)
  }

  private func plain<Value>(_ read: (ColumnReader, Int32) -> Value?) throws -> Value {
    guard let value = read(decoder.reader, decoder.column) else {
      throw decoder.mismatch(Value.self)
    }
    return value
  }
}
