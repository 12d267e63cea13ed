extension SchemaDecoder {
  struct Keyed<Key: CodingKey>: AbsentReadingContainer {
    let decoder: SchemaDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
      decoder.recorder.asksForAllKeys = true
      if case .object(let fields) = decoder.example {
        return fields.names.compactMap { Key(stringValue: $0) }
      }
      guard decoder.inputs.givesKey else { return [] }
      let keys = SchemaProbe.keys(Key.self)
      guard keys.count > 1 else { return keys }
      return [keys[decoder.choices.chooseKey(of: decoder.recorder.prefix, among: keys.count)]]
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
      let name = key.stringValue
      decoder.recorder.mention(name)
      let sample = try sample(type, key)
      decoder.recorder.set(.kind(sample.kind), for: name, mayBeAbsent: sample.isOptional)
      return try chosen(sample, key)
    }

    func take<Value: Decodable>(_ key: Key) throws -> Value? {
      decoder.recorder.mention(key.stringValue, mayBeAbsent: true)
      do {
        let sample = try sample(Value.self, key)
        decoder.recorder.set(.kind(sample.kind), for: key.stringValue, mayBeAbsent: true)
        return isPresent(key) ? try chosen(sample, key) : nil
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
      let name = key.stringValue
      let isUsual =
        decoder.example == nil
        ? decoder.inputs.givesOptionals
        : decoder.example(name).map { $0 != .scalar(.null) } ?? false
      return decoder.choices.isPresent(decoder.recorder.path(of: name), usually: isUsual)
    }

    /// Returns the sample's value, or another one where the run takes that.
    private func chosen<Value>(_ sample: SchemaSample, _ key: Key) throws -> Value {
      if sample.others.isEmpty { return try decoder.value(sample.value) }
      let index = decoder.choices.choose(
        decoder.recorder.path(of: key.stringValue), of: sample.others.count + 1)
      return try decoder.value(index == 0 ? sample.value : sample.others[index - 1])
    }

    private func sample<Value: Decodable>(
      _ type: Value.Type, _ key: Key
    ) throws -> SchemaSample {
      let varies =
        decoder.inputs.variesID && decoder.recorder.prefix.isEmpty && key.stringValue == "id"
      return try decoder.probe.sample(
        type, varies ? .odd : decoder.inputs, example: decoder.example(key.stringValue),
        path: { decoder.codingPath + [key] })
    }

    private func child(_ key: any CodingKey) -> SchemaDecoder {
      let child = decoder.child(key, decoder.example(key.stringValue))
      decoder.recorder.set(.nested(child.recorder), for: key.stringValue)
      return child
    }
  }
}
