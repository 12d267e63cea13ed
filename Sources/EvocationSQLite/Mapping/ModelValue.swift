/// The single-value container of a whole model: one that encodes itself as another one does.
struct ModelValue: SingleValueEncodingContainer {
  let encoder: RowEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}

  func encode<Value: Encodable>(_ value: Value) throws {
    try value.encode(to: encoder)
  }
}
