/// An optional whose wrapped type the caller does not know.
protocol SchemaOptional {
  static func sample(
    _ probe: SchemaProbe, _ inputs: ProbeInputs, example: Field?, path: () -> [any CodingKey]
  ) throws -> SchemaSample
}

extension Optional: SchemaOptional where Wrapped: Decodable {
  static func sample(
    _ probe: SchemaProbe, _ inputs: ProbeInputs, example: Field?, path: () -> [any CodingKey]
  ) throws -> SchemaSample {
    do {
      let example = example == .scalar(.null) ? nil : example
      let wrapped = try probe.sample(Wrapped.self, inputs, example: example, path: path)
      let value = inputs.givesOptionals ? wrapped.value as? Wrapped : nil
      return SchemaSample(
        value: value as Any, others: wrapped.others,
        kind: wrapped.kind, isOptional: true)
    } catch is SchemaProbe.Recursion {
      return SchemaSample(value: Optional.none as Any, kind: .json, isOptional: true)
    }
  }
}

/// A dictionary whose types the caller does not know.
protocol SchemaDictionary {
  static var empty: Self { get }
}

extension Dictionary: SchemaDictionary where Key: Decodable, Value: Decodable {
  static var empty: [Key: Value] { [:] }
}
