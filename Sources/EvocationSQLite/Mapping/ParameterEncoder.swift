internal import Foundation

/// Encodes one value with an `encode(to:)` of its own into a parameter.
struct ParameterEncoder: Encoder {
  let row: RowEncoder
  let entry: Int32

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
    if entry >= KeyTable.jsonFlag {
      try row.write(json: value, entry)
    } else if type == Date.self {
      let date = known(value, Date.self)
      row.writer.pointee.double(date.timeIntervalSinceReferenceDate, entry)
    } else if type == UUID.self {
      row.writer.pointee.uuid(known(value, UUID.self), entry)
    } else if type == Data.self {
      row.writer.pointee.blob(known(value, Data.self), entry)
    } else if type == URL.self {
      row.writer.pointee.text(known(value, URL.self).absoluteString, entry)
    } else if type == Decimal.self {
      row.writer.pointee.text(known(value, Decimal.self).description, entry)
    } else {
      try value.encode(to: self)
    }
  }

  private var tree: JSONTree { row.tree(entry, ColumnKey("")) }

  @inline(__always)
  private func known<Value, Known>(_ value: Value, _ type: Known.Type) -> Known {
    // The types are the same, as the caller has seen; a cast would look that up at every value.
    unsafeBitCast(value, to: type)
  }
}
