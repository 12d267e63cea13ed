/// One decoding of a type: its result, the requests of the type, and the values it could choose.
///
/// It and ``SchemaSample`` are no generic types, because Swift makes each of those at run time, for
/// each model ("launch").
struct ProbeRun {
  let recorder = SchemaRecorder()
  let choices: ProbeChoices
  let result: Result<Any, any Error>
  /// Values of the type that other runs made, with which a type around it may ask for other keys.
  var others: [Any] = []
  /// The value of a run with another id, and without optional values; nil if there was none.
  var bare: Any?
  private let model: () -> String

  init<Value: Decodable>(
    _ type: Value.Type, by probe: SchemaProbe, from inputs: ProbeInputs, path: [any CodingKey],
    example: Field?, choices: ProbeChoices = ProbeChoices()
  ) {
    self.choices = choices
    model = { "\(type)" }
    let decoder = SchemaDecoder(
      probe, recorder, choices: choices, inputs: inputs, codingPath: path, example: example)
    do {
      result = .success(try Value(from: decoder))
    } catch {
      result = .failure(error)
    }
  }

  /// Whether the type was decoded.
  var isSuccess: Bool { if case .success = result { true } else { false } }

  func get() throws -> SchemaSample {
    sample(try result.get(), others: others)
  }

  func sample(_ value: Any, others: [Any] = []) -> SchemaSample {
    SchemaSample(
      value: value, others: others, bare: bare, kind: recorder.kind(model: model()),
      isOptional: recorder.singleIsOptional)
  }
}

/// A made-up value, and the kind that was learned while it was made.
struct SchemaSample {
  var value: Any
  /// Other values of the type, with which another type may ask for other keys.
  var others: [Any] = []
  /// A value with another id, and without optional values; nil if none was made.
  var bare: Any?
  var kind: ModelSchema.Kind
  var isOptional = false
}

/// The values of a model type that were made while it was learned.
struct MadeModels<Model> {
  let sample: Model
  /// One with another id, and without optional values; nil if the type accepts none.
  let bare: Model?
}
