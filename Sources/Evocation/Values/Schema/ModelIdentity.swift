internal import Foundation

/// Where and how the models of a type encode their ids, by which every repository distinguishes them.
///
/// There are three cases. Most models encode the id as it is, under a key of any name, which may be
/// nested. Some encode it as another value, such as a text as a number: there the encoded value is the
/// id. Others compute it from several keys, or do not encode it: there the id's own value is.
package struct ModelIdentity: Sendable {
  /// The key under which models encode their ids, with dots for a nested one; nil if they do not.
  package let key: Criteria.Key?

  /// The keys that lead to the id, from the outside in.
  let path: [String]

  /// Whether the id encodes the value that stands under the key.
  let isPlain: Bool

  /// The keys by which criteria name a model: those of an id of several properties; none if models
  /// encode no id.
  package private(set) var keys: [Criteria.Key]

  /// The identity of a type that encodes no id.
  static let none = ModelIdentity(key: nil, path: [], isPlain: false, keys: [])

  /// The identity of a type that cannot be decoded, whose repositories alone know its keys.
  private static let unknown = ModelIdentity(key: nil, path: [], isPlain: false, keys: ["id"])

  /// Returns the identity of a type, which is learned once.
  package static func of<Model: Codable & Identifiable>(_ type: Model.Type) -> ModelIdentity {
    (try? ModelSchema.learned(type))?.identity ?? .unknown
  }

  /// Returns the identity of a type, which is learned once.
  package static func of<Model: Identifiable>(_ type: Model.Type) -> ModelIdentity {
    func opened<Known: Decodable>(_ type: Known.Type) -> ModelIdentity? {
      (try? ModelSchema.learned(type))?.identity
    }
    return (type as? any Decodable.Type).flatMap { opened($0) } ?? .unknown
  }

  /// The name of the property whose value is the id; nil for a nested one, and if there is none.
  package var property: String? { path.count == 1 ? path[0] : nil }
}

/// Learns where a type encodes its ids, by decoding it with other values under one key at a time.
struct IdentitySearch<Model: Codable & Identifiable> {
  private let sample: Model
  private let fields: Fields

  init(_ sample: Model, _ fields: Fields) {
    (self.sample, self.fields) = (sample, fields)
  }

  /// Returns the identity, if another value shows that the id is what stands under the key `id`.
  func identity(shownBy other: Model?, _ coded: Fields?) -> ModelIdentity? {
    guard let other, case .scalar? = coded?["id"], coded?["id"] != fields["id"],
      Field(read: other.id) == coded?["id"], Field(read: sample.id) == fields["id"]
    else { return nil }
    return ModelIdentity(["id"])
  }

  /// The identity of the type.
  var identity: ModelIdentity {
    let leaves = fields.leaves
    var deciding: [(path: [String], isReversible: Bool)] = []
    var unvaried: [String]?
    for leaf in leaves.filter({ $0.path[0] == "id" }) + leaves.filter({ $0.path[0] != "id" }) {
      switch effect(of: leaf) {
      case .none: continue
      case .plain(let path): return ModelIdentity(path)
      case .unvaried(let path): unvaried = unvaried ?? path
      case .converted(let isReversible): deciding.append((leaf.path, isReversible))
      }
    }
    // With several keys that decide, the id is computed from them.
    if deciding.count == 1, deciding[0].isReversible, isReproducible {
      return ModelIdentity(deciding[0].path, isPlain: false)
    }
    return deciding.isEmpty ? unvaried.map { ModelIdentity($0) } ?? .none : .none
  }

  /// What another value under a key does to the id.
  private enum Effect {
    case none
    /// The id is what stands there, or in the object around it.
    case plain([String])
    /// The same, as far as can be seen: the type accepts no other value.
    case unvaried([String])
    /// The id is computed from it, and it from the id if that is reversible.
    case converted(isReversible: Bool)
  }

  /// How many other values show whether an id is what is encoded, or computed from it.
  private static var enoughValues: Int { 2 }

  private func effect(of leaf: Fields.Leaf) -> Effect {
    let id = Field(read: sample.id)
    var same = (1...leaf.path.count).map { Array(leaf.path.prefix($0)) }
      .filter { fields.field(under: $0) == id }
    var (varied, isChanged) = (0, false)
    var converted: [(id: Model.ID, coded: Field?)] = []
    for other in leaf.field.otherIDs where varied < Self.enoughValues {
      let changed = fields.replacing(leaf.path, with: other)
      guard let model = SchemaProbe.value(of: Model.self, coded: changed),
        let coded = try? FieldEncoder.fields(of: model),
        coded.field(under: leaf.path) != leaf.field
      else { continue }
      let id = Field(read: model.id)
      same = same.filter { coded.field(under: $0) == id }
      (varied, isChanged) = (varied + 1, isChanged || model.id != sample.id)
      converted.append((model.id, coded.field(under: leaf.path)))
      if !isChanged { break }
    }
    guard varied > 0 else { return same.first.map { .unvaried($0) } ?? .none }
    guard isChanged else { return .none }
    if let plain = same.first { return .plain(plain) }
    let isReversible = converted.allSatisfy { id, coded in
      coded.map(Self.values(for: id).contains) == true
    }
    return .converted(isReversible: isReversible)
  }

  /// Returns the values as which a model may encode an id.
  private static func values(for id: Model.ID) -> [Field] {
    ModelIdentity.codedForms(of: id).map { .scalar($0) }
  }

  /// Whether the type decodes the same id each time, and does not make one up.
  private var isReproducible: Bool {
    SchemaProbe.value(of: Model.self, coded: fields)?.id == sample.id
  }
}

extension ModelIdentity {
  fileprivate init(_ path: [String], isPlain: Bool = true) {
    let key = Criteria.Key(path.joined(separator: "."))
    self.init(key: key, path: path, isPlain: isPlain, keys: [key])
  }

  /// Returns the identity with the keys of an id of several properties.
  func completed(by schema: ModelSchema) -> ModelIdentity {
    guard let key, let kind = try? schema.target(of: key).kind, case .object(let parts) = kind
    else {
      return self
    }
    var identity = self
    identity.keys = parts.properties.map { Criteria.Key("\(key.name).\($0.name)") }
    return identity
  }
}

extension Field {
  /// Other values that an id may have in place of this one; those first that few functions return
  /// unchanged.
  fileprivate var otherIDs: [Field] {
    guard case .scalar(let scalar) = self else { return [] }
    return scalar.otherValues.reversed().map { .scalar($0) }.filter { $0 != self }
  }
}

extension ModelIdentity {
  /// Returns the values of other kinds as which a model may encode an id.
  static func codedForms(of id: Any) -> [Criteria.Scalar] {
    guard let own = ownForm(of: id) else { return [] }
    let text = own.text
    let numbers: [Criteria.Scalar?] = [
      Int64(text).map { .integer($0) }, UInt64(text).map { .unsigned($0) },
      Double(text).map { .real($0) }, Decimal(string: text).map { .decimal($0) },
    ]
    let texts: [Criteria.Scalar] = [
      .text(text), .text(text.lowercased()), .text(text.uppercased()),
    ]
    return (numbers + [UUID(uuidString: text).map { .uuid($0) }]).compactMap(\.self) + texts
  }

  /// The single value of an id, however the model encodes it.
  static func ownForm(of id: Any) -> Criteria.Scalar? {
    switch id {
    case let id as any CriteriaValue: id.criteriaValue
    case let id as any OptionalValue: id.wrappedAny.map(ownForm) ?? .null
    case let id as any RawRepresentable: ownForm(of: id.rawValue)
    case let id as any LosslessStringConvertible: .text(id.description)
    default: nil
    }
  }
}
