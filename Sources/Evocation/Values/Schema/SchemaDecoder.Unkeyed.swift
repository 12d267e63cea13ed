extension SchemaDecoder {
  struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: SchemaDecoder
    private(set) var currentIndex = 0

    init(decoder: SchemaDecoder) {
      self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Nil for made-up values, because a type of two elements would refuse a list of one.
    var count: Int? { examples?.count }

    var isAtEnd: Bool {
      currentIndex >= examples?.count ?? (decoder.inputs.givesElement ? 1 : 0)
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let sample = try decoder.probe.sample(
        type, decoder.inputs, example: nextExample(), path: { decoder.codingPath })
      decoder.recorder.append(.kind(sample.kind))
      return try decoder.value(sample.value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> {
      child().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
      child().unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
      child()
    }

    private var examples: [Field]? {
      guard case .list(let elements) = decoder.example else { return nil }
      return elements
    }

    private mutating func nextExample() -> Field? {
      defer { currentIndex += 1 }
      guard let examples, examples.indices.contains(currentIndex) else { return nil }
      return examples[currentIndex]
    }

    private mutating func child() -> SchemaDecoder {
      let child = decoder.child(nil, nextExample())
      decoder.recorder.append(.nested(child.recorder))
      return child
    }
  }
}
