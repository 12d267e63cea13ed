extension FieldEncoder {
  struct Single: SingleValueEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
      encoder.set(.scalar(.null))
    }

    func encode<Value: Encodable>(_ value: Value) throws {
      encoder.set(try FieldEncoder.field(of: value, codingPath: codingPath))
    }
  }
}
