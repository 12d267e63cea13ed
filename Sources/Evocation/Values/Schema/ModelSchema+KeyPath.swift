internal import Foundation

extension Criteria.Key {
  /// Creates the key under which a model encodes the property that a key path reads.
  ///
  /// The key is the coding key, whatever the property's name is, with dots for nested properties:
  ///
  /// ```swift
  /// Criteria.Key(\Car.year).between(1970, and: 1972)
  /// ```
  ///
  /// A property that the model does not encode becomes a key that no model has. A call then throws
  /// ``EvocationError/unknownKey(_:model:nearest:)`` with the property's name. So does a computed
  /// property, unless it always returns what the model encodes under one key; Evocation reads it in
  /// models with made-up values. For a model that is not `Codable`, the key is the property's name.
  public init<Model>(_ path: PartialKeyPath<Model>) {
    self.init(CodedPath(path).key)
  }
}

/// A key path, and the coding key that it leads to.
///
/// The model type is decoded from made-up values, and decoded again with another value under one
/// key. If the key path reads the new value, it belongs to that key. So this finds a key whose name
/// differs from its property's name. Any other property than a stored one of a struct needs a
/// ``KeyPathProof`` besides, because it may compute what it returns.
private struct CodedPath<Model> {
  let path: PartialKeyPath<Model>

  init(_ path: PartialKeyPath<Model>) {
    self.path = path
  }

  var key: String {
    // Looked up outside the lock, because a key path with a subscript hashes your app's values.
    let (path, known) = (KnownPath(path: path), KnownPath.names.withLock { $0 })
    if let name = known[path] { return name }
    guard let type = Model.self as? any Codable.Type else { return property ?? text }
    guard let name = found(in: type) else { return text }
    var names = known.count < KnownPath.most ? known : [:]
    names[path] = name
    // What another call found at the same time may be lost, and is found again.
    KnownPath.names.change { held in
      defer { held = names }
      return held
    }
    return name
  }

  /// The key path as it is written, such as `\Car.owner?.city?`.
  private var text: String {
    "\(path)".replacing(#/<computed 0x[0-9a-f]+ /#, with: "<computed ")
  }

  /// The names of the properties, such as `owner.city`; nil if one of them is not stored.
  private var property: String? {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, !parts[1].contains("<") else { return nil }
    return parts[1].filter { $0 != "?" && $0 != "!" }
  }

  private func found<Coded: Codable>(in type: Coded.Type) -> String? {
    guard let path = path as? PartialKeyPath<Coded> else { return nil }
    let models = Array(SchemaProbe.values(of: type).prefix(Self.mostModels))
    // What is stored has one key, which only some of the type's values may have.
    return (property == nil ? models.prefix(1) : models[...]).lazy
      .compactMap { found(path, in: $0, among: models) }.first ?? named(path, in: models)
  }

  /// Returns the name of a stored property, if no model has anything else under the key of this name.
  private func named<Coded: Codable>(_ path: PartialKeyPath<Coded>, in models: [Coded]) -> String? {
    guard let property else { return nil }
    let keys = property.split(separator: ".").map(String.init)
    let fields = models.map { ($0, try? FieldEncoder.fields(of: $0).field(under: keys)) }
    let isCoded = fields.contains { $0.1 != nil }
    let isSame = fields.allSatisfy { model, field in
      Field(read: model[keyPath: path]) == field ?? .scalar(.null)
    }
    return isCoded && isSame ? property : nil
  }

  /// In how many values of a type a key is looked for.
  private static var mostModels: Int { 64 }

  private func found<Coded: Codable>(
    _ path: PartialKeyPath<Coded>, in base: Coded, among models: [Coded]
  ) -> String? {
    guard let fields = try? FieldEncoder.fields(of: base),
      let read = Field(read: base[keyPath: path])
    else { return nil }
    let (leaves, proof) = (fields.leaves, KeyPathProof(path, of: base, fields: fields))
    for candidate in leaves where candidate.field == read {
      guard let (value, coded) = Self.variation(of: candidate, in: fields, for: path) else {
        continue
      }
      // A property that joins several others also reads the new value.
      let isOther = leaves.contains { other in
        guard other.path != candidate.path,
          let (value, _) = Self.variation(of: other, in: fields, for: path)
        else { return false }
        return value != read
      }
      if value == coded, !isOther, proof.isNeedless || proof.holds(for: candidate) {
        return candidate.name
      }
    }
    return WholeProperty(path, of: base, fields: fields, others: models)
      .name(isStored: property != nil, isAlone: proof.isNeedless)
  }

  /// Returns the value that the key path reads, and the encoded value, after a change under one
  /// key.
  ///
  /// It returns nil if the type accepts no other value.
  private static func variation<Coded: Codable>(
    of leaf: Fields.Leaf, in fields: Fields, for path: PartialKeyPath<Coded>
  ) -> (read: Field?, coded: Field)? {
    for other in leaf.field.alternatives(as: Swift.type(of: path).valueType) {
      let changed = fields.replacing(leaf.path, with: other)
      guard let model = SchemaProbe.value(of: Coded.self, coded: changed),
        let coded = (try? FieldEncoder.fields(of: model))?.field(under: leaf.path),
        coded != leaf.field
      else { continue }
      return (Field(read: model[keyPath: path]), coded)
    }
    return nil
  }
}

/// A key path whose coding key has been found before.
private struct KnownPath: Hashable, @unchecked Sendable {  // it is only compared
  static let names = Lock<[KnownPath: String]>([:])
  static let most = 10_000

  let path: AnyKeyPath
}

extension Field {
  /// Returns other values that a type may accept in place of this one.
  fileprivate func alternatives(as type: Any.Type) -> [Field] {
    let type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    if let type = type as? any CaseIterable.Type { return Self.cases(type).filter { $0 != self } }
    return switch self {
    case .scalar(let scalar): scalar.alternatives.map { .scalar($0) }
    case .list(let elements): elements.isEmpty ? [] : [.list([])]
    case .object: []
    }
  }

  private static func cases<Value: CaseIterable>(_ type: Value.Type) -> [Field] {
    type.allCases.prefix(2).compactMap { value in
      (value as? any Encodable).flatMap { try? FieldEncoder.field(of: $0) }
    }
  }
}

extension Criteria.Scalar {
  fileprivate var alternatives: [Criteria.Scalar] {
    switch self {
    case .null: []
    case .bool(let value): [.bool(!value)]
    case .integer(let value): [.integer(value == 1 ? 2 : 1), .integer(0)].filter { $0 != self }
    case .unsigned(let value): [.unsigned(value == 1 ? 2 : 1), .unsigned(0)].filter { $0 != self }
    case .real(let value): [.real(value == 1 ? 2 : 1)]
    case .decimal(let value): [.decimal(value == 1 ? 2 : 1)]
    case .date(let date): [.date(date.addingTimeInterval(1))]
    case .uuid: [.uuid(UUID())]
    case .url: [.url(URL(filePath: "/a")), .url(URL(filePath: "/b"))].filter { $0 != self }
    case .data(let data): [.data(data + [1])]
    case .text: ProbeInputs.texts.map { .text($0) }.filter { $0 != self }
    }
  }
}
