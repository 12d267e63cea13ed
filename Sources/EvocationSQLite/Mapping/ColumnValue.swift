internal import Foundation

/// The single-value container of a column: what raw-value enums and wrappers decode from.
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
