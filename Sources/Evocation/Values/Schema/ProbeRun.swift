/// One decoding of a type: its result, and the requests of the type.
struct ProbeRun<Value: Decodable> {
  let recorder: SchemaRecorder
  let result: Result<Value, any Error>

  init(recorder: SchemaRecorder, result: Result<Value, any Error>) {
    self.recorder = recorder
    self.result = result
  }

  init(
    _ probe: SchemaProbe, _ inputs: ProbeInputs, path: [any CodingKey], example: Field?
  ) {
    let recorder = SchemaRecorder()
    self.recorder = recorder
    result = Result {
      try Value(
        from: SchemaDecoder(
          probe: probe, recorder: recorder, inputs: inputs, codingPath: path, example: example
        )
      )
    }
  }

  func get() throws -> SchemaSample<Value> {
    sample(try result.get())
  }

  func sample(_ value: Value) -> SchemaSample<Value> {
    SchemaSample(
      value: value, kind: recorder.kind(model: "\(Value.self)"),
      isOptional: recorder.singleIsOptional
    )
  }
}

/// A made-up value, and the kind that was learned while it was made.
struct SchemaSample<Value> {
  var value: Value
  var kind: ModelSchema.Kind
  var isOptional = false

  /// Returns the same sample, if the value is also of this type.
  func `as`<Other>(_ type: Other.Type) -> SchemaSample<Other>? {
    (value as? Other).map { SchemaSample<Other>(value: $0, kind: kind, isOptional: isOptional) }
  }
}
