extension SchemaDecoder {
  struct Keyed<Key: CodingKey>: AbsentReadingContainer {
    let decoder: SchemaDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
      decoder.recorder.asksForAllKeys = true
      if case .object(let fields) = decoder.example {
        return fields.names.compactMap { Key(stringValue: $0) }
      }
      return decoder.inputs.givesKey ? [SchemaProbe.firstKey(Key.self)].compactMap { $0 } : []
    }

    func contains(_ key: Key) -> Bool {
      decoder.recorder.mention(key.stringValue, mayBeAbsent: true)
      return isPresent(key)
    }

    func decodeNil(forKey key: Key) -> Bool {
      decoder.recorder.mention(key.stringValue, mayBeAbsent: true)
      return !isPresent(key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      decoder.recorder.mention(key.stringValue)
      let sample = try sample(type, key)
      decoder.recorder.set(
        .kind(sample.kind), for: key.stringValue, mayBeAbsent: sample.isOptional
      )
      return sample.value
    }

    func take<Value: Decodable>(_ key: Key) throws -> Value? {
      decoder.recorder.mention(key.stringValue, mayBeAbsent: true)
      do {
        let sample = try sample(Value.self, key)
        decoder.recorder.set(.kind(sample.kind), for: key.stringValue, mayBeAbsent: true)
        return isPresent(key) ? sample.value : nil
      } catch is SchemaProbe.Recursion {
        decoder.recorder.set(.kind(.json), for: key.stringValue, mayBeAbsent: true)
        return nil
      }
    }

    func superDecoder() -> any Decoder {
      child(AnyKey("super"))
    }

    func superDecoder(forKey key: Key) -> any Decoder {
      child(key)
    }

    private func isPresent(_ key: Key) -> Bool {
      guard decoder.example != nil else { return decoder.inputs.givesOptionals }
      return decoder.example(key.stringValue).map { $0 != .scalar(.null) } ?? false
    }

    private func sample<Value: Decodable>(
      _ type: Value.Type, _ key: Key
    ) throws -> SchemaSample<Value> {
      try decoder.probe.sample(
        type, decoder.inputs, path: decoder.codingPath + [key],
        example: decoder.example(key.stringValue)
      )
    }

    private func child(_ key: any CodingKey) -> SchemaDecoder {
      let child = decoder.child(key, decoder.example(key.stringValue))
      decoder.recorder.set(.nested(child.recorder), for: key.stringValue)
      return child
    }
  }
}
