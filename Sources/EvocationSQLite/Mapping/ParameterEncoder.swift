internal import Evocation
internal import Foundation

/// Encodes one value with an `encode(to:)` of its own into a parameter.
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

  /// Writes any type: those that columns know by themselves, JSON, or by its `encode(to:)`.
  func write<Value: Encodable>(_ value: Value) throws {
    let type = Value.self
    if slot.isJSON {
      try row.write(json: value, slot)
    } else if type == Date.self {
      let date = known(value, Date.self)
      row.writer.pointee.double(date.timeIntervalSinceReferenceDate, column)
    } else if type == UUID.self {
      row.writer.pointee.uuid(known(value, UUID.self), column)
    } else if type == Data.self {
      row.writer.pointee.blob(known(value, Data.self), column)
    } else if type == URL.self {
      row.writer.pointee.text(known(value, URL.self).absoluteString, column)
    } else if type == Decimal.self {
      row.writer.pointee.text(known(value, Decimal.self).description, column)
    } else {
      try value.encode(to: self)
    }
  }

  private var column: Int32 { slot.position }
  private var tree: JSONTree { row.tree(slot, AnyKey("")) }

  @inline(__always)
  private func known<Value, Known>(_ value: Value, _ type: Known.Type) -> Known {
    // The types are the same, as the caller has seen; a cast would look that up at every value.
    unsafeBitCast(value, to: type)
  }
}

/// The single-value container of a parameter: what raw-value enums and wrappers encode into.
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
