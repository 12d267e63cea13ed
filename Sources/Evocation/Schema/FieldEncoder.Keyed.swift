extension FieldEncoder {
  struct Keyed<Key: CodingKey>: NilWritingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
      encoder.append(.scalar(.null), key.stringValue)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      let field: Field
      if let scalar = Criteria.Scalar(coded: value) {
        field = .scalar(scalar)
      } else {
        field = try FieldEncoder.field(of: value, codingPath: codingPath + [key])
      }
      encoder.append(field, key.stringValue)
    }

    func encode<Value: Encodable>(optional value: Value?, forKey key: Key) throws {
      guard let value else { return encodeNil(forKey: key) }
      try encode(value, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder.child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.child(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
      encoder.child(AnyKey("super"))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
      encoder.child(key)
    }
  }
}
