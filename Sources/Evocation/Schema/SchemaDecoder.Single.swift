extension SchemaDecoder {
  struct Single: SingleValueDecodingContainer {
    let decoder: SchemaDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
      decoder.recorder.mayBeNull()
      return decoder.example == .scalar(.null)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let sample = try decoder.probe.sample(type, decoder.inputs, codingPath, decoder.example)
      decoder.recorder.set(single: sample.kind)
      if sample.isOptional { decoder.recorder.mayBeNull() }
      if decoder.inputs.refuses {
        throw DecodingError.typeMismatch(
          type, .init(codingPath: codingPath, debugDescription: "Nothing of any type is given.")
        )
      }
      return sample.value
    }
  }
}
