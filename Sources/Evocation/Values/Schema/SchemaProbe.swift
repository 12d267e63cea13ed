/// Makes up a value of a `Codable` type, and learns from the keys that the type asks for.
///
/// A type that refuses gets something else until it accepts: its example, its first case, or one
/// set of ``ProbeInputs`` after another.
final class SchemaProbe {
  /// A type contains itself; an optional or a list around it continues without a value.
  struct Recursion: Error {}

  /// How deeply types may nest, because generic ones can nest without ever containing themselves.
  private static let depth = 32

  private let model: () -> String
  /// Whether types are also decoded from other values, for the keys that they ask for only then.
  let varies: Bool
  private var underWay: [ObjectIdentifier] = []

  /// The samples of types without an example, so that none is made again for each run around it.
  private var made: [ObjectIdentifier: SchemaSample] = [:]

  init<Model>(_ model: Model.Type, varies: Bool) {
    self.model = { "\(model)" }
    self.varies = varies
  }

  /// Returns the keys of a type, and a value of it.
  ///
  /// The other value, if there is one, has another id, and no optional values.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)``.
  static func schema<Model: Decodable>(
    of type: Model.Type
  ) throws(EvocationError) -> (ModelSchema, MadeModels<Model>) {
    let model = "\(type)"
    let sample: SchemaSample
    do {
      sample = try Self.sample(type, varies: true)
    } catch {
      throw error as? EvocationError
        ?? .unmappable(model: model, property: "", reason: "it contains itself without end")
    }
    let reason: String
    switch sample.kind {
    case .object(let schema):
      if let value = sample.value as? Model {
        return (schema, MadeModels(sample: value, bare: sample.bare as? Model))
      }
      reason = "its examples have another type"
    case .json: reason = "it has no coding keys, or none that follow from its type alone"
    case .list: reason = "it is a list; use its elements, or wrap it in a struct"
    case .scalar: reason = "it is a single value; wrap it in a struct"
    }
    throw .unmappable(model: model, property: "", reason: reason)
  }

  /// Returns the kind of a type's values; nil if it accepts none.
  fileprivate static func kind<Value: Decodable>(of type: Value.Type) -> ModelSchema.Kind? {
    try? sample(type, varies: false).kind
  }

  /// Returns values of a type, the first of which has all optional values; none if it accepts none.
  ///
  /// Each of them may have other keys.
  static func values<Model: Decodable>(of type: Model.Type) -> [Model] {
    guard let sample = try? sample(type, varies: true) else { return [] }
    return ([sample.value] + sample.others).compactMap { $0 as? Model }
  }

  private static func sample<Model: Decodable>(
    _ type: Model.Type, varies: Bool
  ) throws -> SchemaSample {
    try SchemaProbe(type, varies: varies).sample(type, ProbeInputs(), example: nil) { [] }
  }

  /// Returns the value that a type decodes from these fields; nil if it refuses them.
  static func value<Model: Decodable>(
    of type: Model.Type, coded fields: Fields, inputs: ProbeInputs = ProbeInputs()
  ) -> Model? {
    let probe = SchemaProbe(type, varies: false)
    let run = ProbeRun(type, by: probe, from: inputs, path: [], example: .object(fields))
    return (try? run.result.get()) as? Model
  }

  /// The types that are single values.
  ///
  /// Types are looked up here, and by their names below, because Swift looks through the whole program
  /// for a conformance that a type does not have ("launch").
  private static let leaves = [ObjectIdentifier: SchemaLeafs.Known](
    uniqueKeysWithValues: SchemaLeafs.all.map { (ObjectIdentifier($0), SchemaLeafs.Known($0)) })

  /// Returns a value of any type; a type that is a single value is made from the inputs.
  func sample<Value: Decodable>(
    _ type: Value.Type, _ inputs: ProbeInputs, example: Field?, path: () -> [any CodingKey]
  ) throws -> SchemaSample {
    let id = ObjectIdentifier(type)
    if let leaf = Self.leaves[id] { return leaf.sample(inputs, example) }
    if example == nil, let known = made[id] { return known }
    let name = _typeName(type)
    if name.hasPrefix("Swift.Optional<"), let optional = type as? any SchemaOptional.Type {
      return try optional.sample(self, inputs, example: example, path: path)
    }
    if example == nil, name.hasPrefix("Swift.Dictionary<"),
      let dictionary = type as? any SchemaDictionary.Type
    {
      return SchemaSample(value: dictionary.empty, kind: .json)
    }
    guard !underWay.contains(id), underWay.count < Self.depth else { throw Recursion() }
    underWay.append(id)
    defer { underWay.removeLast() }
    return try entered(type, path(), example: example)
  }

  private func entered<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey], example: Field?
  ) throws -> SchemaSample {
    let id = ObjectIdentifier(type)
    if let example, let sample = try replayed(type, path, example: example) { return sample }
    let sample = try Self.enums.withLock { $0[id] } ?? exemplified(type, path) ?? madeUp(type, path)
    made[id] = sample
    return sample
  }

  /// The samples of enums that are single values, which no type around them changes.
  private static let enums = Lock<[ObjectIdentifier: SchemaSample]>([:])

  /// Returns the first example of a type, with the keys of all its examples; nil if it has none.
  private func exemplified<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey]
  ) throws -> SchemaSample? {
    var samples: [SchemaSample] = []
    for value in Self.examples(of: type) {
      let field = try FieldEncoder.field(of: value)
      let kind = ModelSchema.Kind(of: field, model: "\(type)")
      if var sample = try replayed(type, path, example: field) {
        sample.kind = sample.kind.joined(with: kind)
        samples.append(sample)
      } else if value is Value {
        samples.append(SchemaSample(value: value, kind: kind))
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
  ) throws -> SchemaSample? {
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
  ) throws -> SchemaSample {
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
          : sample(of: type, cases: cases, from: attempt)
      case .failure(let error as EvocationError):
        throw error
      case .failure(let error as Recursion):
        guard attempt.recorder.shapes == [.unkeyed], inputs.givesElement else { throw error }
        inputs.givesElement = false
        return try varied(type, inputs, path: path, example: nil).get()
      case .failure:
        if !cases.isEmpty { return sample(of: type, cases: cases, from: attempt) }
        givesKey = attempt.recorder.asksForAllKeys
        lastName = lastName ?? attempt.recorder.names.last
      }
    }
    throw refusal(type, path, lastName: lastName)
  }

  /// Returns the sample of an enum, from the attempt to decode it.
  private func sample<Value>(
    of type: Value.Type, cases: [Any], from attempt: ProbeRun
  ) -> SchemaSample {
    let sample = attempt.sample(cases[0], others: Array(cases.dropFirst()))
    if varies, attempt.recorder.shapes == [.single] {
      // Another thread may have made them too, and its cases may be an app's objects.
      Self.enums.change { $0.updateValue(sample, forKey: ObjectIdentifier(type)) }
    }
    return sample
  }

  private func refusal<Value>(
    _ type: Value.Type, _ path: [any CodingKey], lastName: String?
  ) -> EvocationError {
    let names = path.map(\.stringValue) + (lastName.map { [$0] } ?? [])
    return .unmappable(
      model: model(), property: names.joined(separator: "."),
      reason: "\(type) rejects every example value; make \(type) conform to CodableExample"
    )
  }
}

extension ScalarKind {
  /// Returns the kind of a type's values; nil if they are no single values.
  package static func of<Value: Decodable>(_ type: Value.Type) -> ScalarKind? {
    SchemaProbe.kind(of: type)?.scalar
  }
}
