/// Makes up a value of a `Codable` type, and learns from the keys that the type asks for.
///
/// A type that refuses gets something else until it accepts: its example, its first case, or one
/// set of ``ProbeInputs`` after another.
final class SchemaProbe {
  /// A type contains itself; an optional or a list around it continues without a value.
  struct Recursion: Error {}

  /// How deeply types may nest, because generic ones can nest without ever containing themselves.
  private static let depth = 32

  private let model: String
  private var underWay: [ObjectIdentifier] = []

  /// The inputs that a type accepted before, so that nested types are not tried again and again.
  private var accepted: [ObjectIdentifier: ProbeInputs] = [:]

  init(model: String) {
    self.model = model
  }

  static func schema<Model: Decodable>(
    of type: Model.Type
  ) throws(EvocationError) -> ModelSchema {
    let model = "\(type)"
    let kind: ModelSchema.Kind
    do {
      kind = try SchemaProbe(model: model).sample(type, ProbeInputs(), path: [], example: nil).kind
    } catch {
      throw error as? EvocationError
        ?? .unmappable(model: model, property: "", reason: "it contains itself without end")
    }
    let reason: String
    switch kind {
    case .object(let schema): return schema
    case .json: reason = "it has no coding keys, or none that follow from its type alone"
    case .list: reason = "it is a list; use its elements, or wrap it in a struct"
    case .scalar: reason = "it is a single value; wrap it in a struct"
    }
    throw .unmappable(model: model, property: "", reason: reason)
  }

  /// Returns a made-up value of a type; nil if the type refuses all of them.
  static func value<Model: Decodable>(of type: Model.Type) -> Model? {
    try? SchemaProbe(model: "\(type)").sample(type, ProbeInputs(), path: [], example: nil).value
  }

  /// Returns the value that a type decodes from these fields; nil if it refuses them.
  static func value<Model: Decodable>(
    of type: Model.Type, coded fields: Fields, inputs: ProbeInputs = ProbeInputs()
  ) -> Model? {
    let probe = SchemaProbe(model: "\(type)")
    return try? ProbeRun<Model>(probe, inputs, path: [], example: .object(fields)).result
      .get()
  }

  /// Returns a value of any type; a type that is a single value is made from the inputs.
  func sample<Value: Decodable>(
    _ type: Value.Type, _ inputs: ProbeInputs, path: [any CodingKey], example: Field?
  ) throws -> SchemaSample<Value> {
    if let leaf = type as? any SchemaLeaf.Type {
      var value: any SchemaLeaf = leaf.sample(inputs)
      if case .scalar(let scalar) = example, let taken = leaf.taken(from: scalar) { value = taken }
      let sample = SchemaSample<Any>(value: value, kind: .scalar(leaf.scalarKind))
      if let sample = sample.as(type) { return sample }
    }
    if let optional = type as? any SchemaOptional.Type {
      let sample = try optional.sample(self, inputs, path: path, example: example)
      if let sample = sample.as(type) { return sample }
    }
    if example == nil, let dictionary = type as? any SchemaDictionary.Type {
      let sample = SchemaSample<Any>(value: dictionary.empty, kind: .json)
      if let sample = sample.as(type) { return sample }
    }
    return try entered(type, path, example: example)
  }

  private func entered<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey], example: Field?
  ) throws -> SchemaSample<Value> {
    let id = ObjectIdentifier(type)
    guard !underWay.contains(id), underWay.count < Self.depth else { throw Recursion() }
    underWay.append(id)
    defer { underWay.removeLast() }
    if let example, let sample = try replayed(type, path, example: example) { return sample }
    if let value = Self.example(of: type) {
      let field = try FieldEncoder.field(of: value)
      let kind = ModelSchema.Kind(of: field, model: "\(type)")
      if var sample = try replayed(type, path, example: field) {
        sample.kind = sample.kind.joined(with: kind)
        return sample
      }
      if let sample = SchemaSample<Any>(value: value, kind: kind).as(type) { return sample }
    }
    return try madeUp(type, path)
  }

  /// Returns the value that the type decodes from an encoded example; nil if it cannot.
  private func replayed<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey], example: Field
  ) throws -> SchemaSample<Value>? {
    do {
      return try attempt(type, ProbeInputs(), path: path, example: example).get()
    } catch let error as EvocationError {
      throw error
    } catch is Recursion {
      guard case .list(let elements) = example, !elements.isEmpty else { throw Recursion() }
      return try replayed(type, path, example: .list([]))
    } catch {
      return nil
    }
  }

  private func madeUp<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey]
  ) throws -> SchemaSample<Value> {
    let id = ObjectIdentifier(type)
    var givesKey = false
    var lastName: String?
    for var inputs in (accepted[id].map { [$0] } ?? []) + ProbeInputs.all {
      inputs.givesKey = inputs.givesKey || givesKey
      let attempt = attempt(type, inputs, path: path, example: nil)
      switch attempt.result {
      case .success:
        accepted[id] = inputs
        return try attempt.get()
      case .failure(let error as EvocationError):
        throw error
      case .failure(let error as Recursion):
        guard attempt.recorder.shapes == [.unkeyed], inputs.givesElement else { throw error }
        inputs.givesElement = false
        return try self.attempt(type, inputs, path: path, example: nil).get()
      case .failure:
        if let value = Self.firstCase(type, attempt.recorder) { return attempt.sample(value) }
        givesKey = attempt.recorder.asksForAllKeys
        lastName = lastName ?? attempt.recorder.names.last
      }
    }
    throw refusal(type, path, lastName: lastName)
  }

  private func attempt<Value: Decodable>(
    _ type: Value.Type, _ inputs: ProbeInputs, path: [any CodingKey], example: Field?
  ) -> ProbeRun<Value> {
    let first = ProbeRun<Value>(self, inputs, path: path, example: example)
    guard case .success = first.result, first.recorder.shapes == [.single] else { return first }
    // A type that accepts the first of several kinds is asked again, and each kind is refused.
    var refusing = inputs
    refusing.refuses = true
    let second = ProbeRun<Value>(self, refusing, path: path, example: example)
    return ProbeRun(recorder: first.recorder.joined(second.recorder), result: first.result)
  }

  private func refusal<Value>(
    _ type: Value.Type, _ path: [any CodingKey], lastName: String?
  ) -> EvocationError {
    let names = path.map(\.stringValue) + (lastName.map { [$0] } ?? [])
    return .unmappable(
      model: model, property: names.joined(separator: "."),
      reason: "\(type) rejects every example value; make \(type) conform to CodableExample"
    )
  }
}
