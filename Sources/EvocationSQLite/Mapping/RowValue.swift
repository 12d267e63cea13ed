/// The single-value container of a whole row: a model that decodes itself as another one does.
struct RowValue: SingleValueDecodingContainer {
  let decoder: RowDecoder

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Value(from: decoder)
  }
}
