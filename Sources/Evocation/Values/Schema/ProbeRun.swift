/// One decoding of a type: its result, the requests of the type, and the values it could choose.
struct ProbeRun<Value: Decodable> {
  let recorder: SchemaRecorder
  let choices: ProbeChoices
  let result: Result<Value, any Error>
  /// Values of the type that other runs made, with which a type around it may ask for other keys.
  var others: [Value] = []

  init(
    _ probe: SchemaProbe, _ inputs: ProbeInputs, path: [any CodingKey], example: Field?,
    choices: ProbeChoices = ProbeChoices()
  ) {
    let recorder = SchemaRecorder()
    self.recorder = recorder
    self.choices = choices
    result = Result {
      try Value(
        from: SchemaDecoder(
          probe: probe, recorder: recorder, choices: choices, inputs: inputs, codingPath: path,
          example: example
        )
      )
    }
  }

  /// Whether the type was decoded.
  var isSuccess: Bool { if case .success = result { true } else { false } }

  func get() throws -> SchemaSample<Value> {
    sample(try result.get(), others: others)
  }

  func sample(_ value: Value, others: [Value] = []) -> SchemaSample<Value> {
    SchemaSample(
      value: value, others: others, kind: recorder.kind(model: "\(Value.self)"),
      isOptional: recorder.singleIsOptional
    )
  }
}

/// A made-up value, and the kind that was learned while it was made.
struct SchemaSample<Value> {
  var value: Value
  /// Other values of the type, with which another type may ask for other keys.
  var others: [Value] = []
  var kind: ModelSchema.Kind
  var isOptional = false

  /// Returns the same sample, if the value is also of this type.
  func `as`<Other>(_ type: Other.Type) -> SchemaSample<Other>? {
    (value as? Other).map { value in
      SchemaSample<Other>(
        value: value, others: others.compactMap { $0 as? Other }, kind: kind,
        isOptional: isOptional)
    }
  }
}
