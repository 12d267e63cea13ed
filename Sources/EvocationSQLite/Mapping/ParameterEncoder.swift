internal import Evocation

/// Encodes one value with its own `encode(to:)` into a parameter.
struct ParameterEncoder: Encoder {
  let row: RowEncoder
  let slot: ColumnSlot

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    tree.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    tree.unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ParameterValue(encoder: self)
  }

  /// Writes any type: as JSON, as a single value of a known type, or with its `encode(to:)`.
  func write<Value: Encodable>(_ value: Value) throws {
    if slot.isJSON {
      try row.write(json: value, slot)
    } else if !row.writer.pointee.write(value, slot.position) {
      try value.encode(to: self)
    }
  }

  private var tree: JSONTree { row.tree(slot, AnyKey("")) }
}

/// The single-value container of a parameter, into which raw-value enums and wrappers encode.
struct ParameterValue: SingleValueEncodingContainer {
  let encoder: ParameterEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() { writer.pointee.null(column) }
  func encode(_ value: Bool) { writer.pointee.bool(value, column) }
  func encode(_ value: String) { writer.pointee.text(value, column) }
  func encode(_ value: Double) { writer.pointee.double(value, column) }
  func encode(_ value: Float) { writer.pointee.double(Double(value), column) }
  func encode(_ value: Int) { writer.pointee.integer(value, column) }
  func encode(_ value: Int8) { writer.pointee.integer(value, column) }
  func encode(_ value: Int16) { writer.pointee.integer(value, column) }
  func encode(_ value: Int32) { writer.pointee.integer(value, column) }
  func encode(_ value: Int64) { writer.pointee.integer(value, column) }
  func encode(_ value: UInt) { writer.pointee.integer(value, column) }
  func encode(_ value: UInt8) { writer.pointee.integer(value, column) }
  func encode(_ value: UInt16) { writer.pointee.integer(value, column) }
  func encode(_ value: UInt32) { writer.pointee.integer(value, column) }
  func encode(_ value: UInt64) { writer.pointee.integer(value, column) }
  func encode<Value: Encodable>(_ value: Value) throws { try encoder.write(value) }

  private var writer: UnsafeMutablePointer<ParameterWriter> { encoder.row.writer }
  private var column: Int32 { encoder.slot.position }
}
