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

  /// The samples of types without an example, so that none is made again for each run around it.
  private var made: [ObjectIdentifier: Any] = [:]

  init(model: String) {
    self.model = model
  }

  /// Learns a type.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)``.
  static func learn<Model: Decodable>(
    _ type: Model.Type
  ) throws(EvocationError) -> LearnedModel {
    let model = "\(type)"
    let sample: SchemaSample<Model>
    do {
      sample = try Self.sample(type, model: model)
    } catch {
      throw error as? EvocationError
        ?? .unmappable(model: model, property: "", reason: "it contains itself without end")
    }
    let reason: String
    switch sample.kind {
    case .object(let schema): return LearnedModel(schema, sample.value)
    case .json: reason = "it has no coding keys, or none that follow from its type alone"
    case .list: reason = "it is a list; use its elements, or wrap it in a struct"
    case .scalar: reason = "it is a single value; wrap it in a struct"
    }
    throw .unmappable(model: model, property: "", reason: reason)
  }

  /// Returns a value of a type; nil if it accepts none.
  static func value<Model: Decodable>(of type: Model.Type) -> Model? {
    try? sample(type, model: "\(type)").value
  }

  private static func sample<Model: Decodable>(
    _ type: Model.Type, model: String
  ) throws -> SchemaSample<Model> {
    try SchemaProbe(model: model).sample(type, ProbeInputs(), path: [], example: nil)
  }

  /// Returns the value that a type decodes from these fields; nil if it refuses them.
  static func value<Model: Decodable>(
    of type: Model.Type, coded fields: Fields, inputs: ProbeInputs = ProbeInputs()
  ) -> Model? {
    let probe = SchemaProbe(model: "\(type)")
    return try? ProbeRun<Model>(probe, inputs, path: [], example: .object(fields)).result
      .get()
  }

  /// The types that are single values.
  ///
  /// Types are looked up here, and by their names below, because Swift looks through the whole program
  /// for a conformance that a type does not have ("launch").
  private static let leaves = [ObjectIdentifier: any SchemaLeaf.Type](
    uniqueKeysWithValues: SchemaLeafs.all.map { (ObjectIdentifier($0), $0) })

  /// Returns a value of any type; a type that is a single value is made from the inputs.
  func sample<Value: Decodable>(
    _ type: Value.Type, _ inputs: ProbeInputs, path: [any CodingKey], example: Field?
  ) throws -> SchemaSample<Value> {
    if let leaf = Self.leaves[ObjectIdentifier(type)] {
      var value: any SchemaLeaf = leaf.sample(inputs)
      if case .scalar(let scalar) = example, let taken = leaf.taken(from: scalar) { value = taken }
      let others: [Any] = (value as? Bool).map { [!$0] } ?? []
      let sample = SchemaSample<Any>(value: value, others: others, kind: .scalar(leaf.scalarKind))
      if let sample = sample.as(type) { return sample }
    }
    let name = _typeName(type)
    if name.hasPrefix("Swift.Optional<"), let optional = type as? any SchemaOptional.Type {
      let sample = try optional.sample(self, inputs, path: path, example: example)
      if let sample = sample.as(type) { return sample }
    }
    if example == nil, name.hasPrefix("Swift.Dictionary<"),
      let dictionary = type as? any SchemaDictionary.Type
    {
      let sample = SchemaSample<Any>(value: dictionary.empty, kind: .json)
      if let sample = sample.as(type) { return sample }
    }
    return try entered(type, path, example: example)
  }

  private func entered<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey], example: Field?
  ) throws -> SchemaSample<Value> {
    let id = ObjectIdentifier(type)
    if example == nil, let known = made[id] as? SchemaSample<Value> { return known }
    guard !underWay.contains(id), underWay.count < Self.depth else { throw Recursion() }
    underWay.append(id)
    defer { underWay.removeLast() }
    if let example, let sample = try replayed(type, path, example: example) { return sample }
    let sample = try exemplified(type, path) ?? madeUp(type, path)
    made[id] = sample
    return sample
  }

  /// Returns the first example of a type, with the keys of all its examples; nil if it has none.
  private func exemplified<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey]
  ) throws -> SchemaSample<Value>? {
    var samples: [SchemaSample<Value>] = []
    for value in Self.examples(of: type) {
      let field = try FieldEncoder.field(of: value)
      let kind = ModelSchema.Kind(of: field, model: "\(type)")
      if var sample = try replayed(type, path, example: field) {
        sample.kind = sample.kind.joined(with: kind)
        samples.append(sample)
      } else if let sample = SchemaSample<Any>(value: value, kind: kind).as(type) {
        samples.append(sample)
      }
    }
    guard var first = samples.first else { return nil }
    for sample in samples.dropFirst() {
      first.kind = first.kind.union(sample.kind)
      first.others += [sample.value] + sample.others
    }
    return first
  }

  /// Returns the value that the type decodes from an encoded example; nil if it cannot.
  private func replayed<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey], example: Field
  ) throws -> SchemaSample<Value>? {
    do {
      return try varied(type, ProbeInputs(), path: path, example: example).get()
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
    var givesKey = false
    var lastName: String?
    for var inputs in ProbeInputs.all {
      inputs.givesKey = inputs.givesKey || givesKey
      let attempt = varied(type, inputs, path: path, example: nil)
      let cases = Self.cases(of: type, attempt.recorder)
      switch attempt.result {
      case .success(let value):
        return cases.isEmpty
          ? attempt.sample(value, others: attempt.others)
          : attempt.sample(cases[0], others: Array(cases.dropFirst()))
      case .failure(let error as EvocationError):
        throw error
      case .failure(let error as Recursion):
        guard attempt.recorder.shapes == [.unkeyed], inputs.givesElement else { throw error }
        inputs.givesElement = false
        return try varied(type, inputs, path: path, example: nil).get()
      case .failure:
        if let first = cases.first {
          return attempt.sample(first, others: Array(cases.dropFirst()))
        }
        givesKey = attempt.recorder.asksForAllKeys
        lastName = lastName ?? attempt.recorder.names.last
      }
    }
    throw refusal(type, path, lastName: lastName)
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
