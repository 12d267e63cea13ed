extension FieldEncoder {
  struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() {
      encoder.append(.scalar(.null))
    }

    func encode<Value: Encodable>(_ value: Value) throws {
      encoder.append(try FieldEncoder.field(of: value, codingPath: codingPath))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      encoder.child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder.child().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
      encoder.child()
    }
  }
}
