/// Decodes a type from made-up values, or from those of an example.
final class SchemaDecoder: Decoder {
  let probe: SchemaProbe
  let recorder: SchemaRecorder
  let choices: ProbeChoices
  let inputs: ProbeInputs
  let codingPath: [any CodingKey]

  /// The value that an example has encoded here.
  let example: Field?

  init(
    _ probe: SchemaProbe, _ recorder: SchemaRecorder, choices: ProbeChoices, inputs: ProbeInputs,
    codingPath: [any CodingKey], example: Field?
  ) {
    (self.probe, self.recorder, self.choices) = (probe, recorder, choices)
    (self.inputs, self.codingPath, self.example) = (inputs, codingPath, example)
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    recorder.ask(.keyed)
    return KeyedDecodingContainer(Keyed<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    recorder.ask(.unkeyed)
    return Unkeyed(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    recorder.ask(.single)
    return Single(decoder: self)
  }

  /// Returns the decoder of a nested value, with a recorder of its own.
  func child(_ key: (any CodingKey)?, _ example: Field?) -> SchemaDecoder {
    SchemaDecoder(
      probe, recorder.child(key?.stringValue), choices: choices, inputs: inputs,
      codingPath: key.map { codingPath + [$0] } ?? codingPath, example: example)
  }

  /// Returns the example's value under a key.
  func example(_ name: String) -> Field? {
    guard case .object(let fields) = example else { return nil }
    return fields[name]
  }

  /// Returns a value of a sample as the type that is asked for.
  func value<Value>(_ value: Any) throws -> Value {
    guard let value = value as? Value else {
      throw DecodingError.typeMismatch(
        Value.self, .init(codingPath: codingPath, debugDescription: "An example has another type."))
    }
    return value
  }
}

extension SchemaDecoder {
  struct Single: SingleValueDecodingContainer {
    let decoder: SchemaDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
      decoder.recorder.mayBeNull()
      return decoder.example == .scalar(.null)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let sample = try decoder.probe.sample(
        type, decoder.inputs, example: decoder.example, path: { codingPath })
      decoder.recorder.set(single: sample.kind)
      if sample.isOptional { decoder.recorder.mayBeNull() }
      if decoder.inputs.refuses {
        throw DecodingError.typeMismatch(
          type, .init(codingPath: codingPath, debugDescription: "Nothing of any type is given.")
        )
      }
      return try decoder.value(sample.value)
    }
  }
}
