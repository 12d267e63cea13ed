internal import Foundation

/// The id of a model, by which repositories distinguish and sort models.
///
/// Ids are equal if their values are: text byte by byte, and numbers whatever their types. An id of
/// several properties is compared property by property, in the order of coding.
package struct ModelID: Sendable, Hashable {
  package let scalars: [Criteria.Scalar]

  package init(_ scalars: [Criteria.Scalar]) {
    self.scalars = scalars
  }

  /// Creates the id of a model; one that has no value is the id's printed text.
  package init(of model: some Identifiable, _ identity: ModelIdentity) {
    scalars = identity.scalars(of: model) ?? [.text("\(model.id)")]
  }

  /// The values that an id encodes, or its own single value; nil if it has neither.
  ///
  /// `isCoded` says whether the model encodes the id. If it does not, the id's ``CriteriaValue`` is
  /// used, if there is one. Local stores distinguish models by this rule alone, and requests to
  /// servers name models by it.
  package static func scalars<ID>(of id: ID, isCoded: Bool) -> [Criteria.Scalar]? {
    if let scalar = Criteria.Scalar(coded: id) { return [scalar] }
    if !isCoded, let value = id as? any CriteriaValue { return [value.criteriaValue] }
    if let value = id as? any Encodable, let field = try? FieldEncoder.field(of: value) {
      return field.scalars
    }
    return ownScalar(of: id).map { [$0] }
  }

  /// The single value of an id, however the model encodes it.
  package static func ownScalar(of id: Any) -> Criteria.Scalar? { ModelIdentity.ownForm(of: id) }

  package static func == (left: ModelID, right: ModelID) -> Bool {
    ScalarOrder.of(left.scalars, right.scalars) == .same
  }

  package func hash(into hasher: inout Hasher) {
    for scalar in scalars { scalar.hashByOrder(into: &hasher) }
  }

  /// The id as text, which is the same for equal ids and for no others.
  package var key: ByteText {
    if scalars.count == 1 { return ByteText(Self.part(scalars[0])) }
    let parts = scalars.map { scalar in
      let part = Self.part(scalar)
      return "\(part.utf8.count):\(part)"
    }
    return ByteText(parts.joined())
  }

  /// Returns the digits of a number, whatever its type, and text after an apostrophe.
  private static func part(_ scalar: Criteria.Scalar) -> String {
    switch scalar {
    case .text(let value): "'" + value
    case .integer(let value): String(value)
    case .null: "null"
    case .unsigned(let value): String(value)
    case .real(let value): key(value)
    case .decimal(let value):
      Int64(value.description).map { String($0) } ?? UInt64(value.description).map { String($0) }
        ?? key(value.nearest)
    case .bool, .date, .uuid, .data, .url: part(Criteria.Scalar.nestedForm(scalar))
    }
  }

  private static func key(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return String(whole) }
    if let whole = UInt64(exactly: number) { return String(whole) }
    return number.isNaN ? "nan" : "\(number)"
  }

  /// The id for sentences.
  package var description: String {
    scalars.map(\.plainText).joined(separator: "/")
  }
}

extension ModelID {
  /// Returns the id with this key; nil for a type whose ids cannot be read from a key.
  package static func id<ID>(_ type: ID.Type, of key: String) -> ID? {
    func text() -> String? { key.utf8.first == UInt8(ascii: "'") ? String(key.dropFirst()) : nil }
    return switch type {
    case is Int.Type: Int(key) as? ID
    case is String.Type: text() as? ID
    case is UUID.Type: text().flatMap { UUID(uuidString: $0) } as? ID
    default: nil
    }
  }
}

extension ModelID {
  /// Returns the value of an id of one property from its key; nil for a number that is not whole.
  package static func value(of key: String) -> Criteria.Scalar? {
    if key.utf8.first == UInt8(ascii: "'") { return .text(String(key.dropFirst())) }
    return Int64(key).map { .integer($0) }
  }
}

extension ModelID: Comparable {
  package static func < (left: ModelID, right: ModelID) -> Bool {
    ScalarOrder.of(left.scalars, right.scalars) == .less
  }
}

extension Field {
  /// The single values, from the outside in and in the order of coding.
  var scalars: [Criteria.Scalar] {
    switch self {
    case .scalar(let scalar): [scalar]
    case .list(let elements): elements.flatMap(\.nestedScalars)
    case .object(let fields): fields.values.flatMap(\.nestedScalars)
    }
  }

  private var nestedScalars: [Criteria.Scalar] {
    scalars.map { Criteria.Scalar.nestedForm($0) }
  }
}

extension ModelID {
  /// Creates the id of a model, whose type is looked up.
  init<Model: Identifiable>(of model: Model) {
    self.init(of: model, ModelIdentity.of(Model.self))
  }

  /// Creates the id of an instance of a model type.
  package init<Model: Identifiable>(_ id: Model.ID, of type: Model.Type) {
    self.init(ModelIdentity.of(type).scalars(of: id, in: type) ?? [.text("\(id)")])
  }

  /// Returns the ids of models, by which repositories distinguish them; nil if the type has none.
  package static func all<Model: Sendable>(of models: [Model]) -> [ModelID]? {
    func opened<Known: Identifiable>(_ type: Known.Type) -> [ModelID]? {
      let identity = ModelIdentity.of(type)
      // Both types are the same, so one cast of the array is enough; without `Any` it is one of each model.
      guard let known = models as Any as? [Known] else { return nil }
      var ids: [ModelID] = []
      ids.reserveCapacity(known.count)
      for model in known { ids.append(ModelID(of: model, identity)) }
      return ids
    }
    guard let type = Model.self as? any Identifiable.Type else { return nil }
    return opened(type)
  }

  /// Returns the ids of models that have to be distinguished.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` if the type has no ids.
  package static func each<Model: Sendable>(of models: [Model]) throws(EvocationError) -> [ModelID]
  {
    if models.isEmpty { return [] }
    guard let ids = all(of: models) else { throw .notIdentifiable(model: "\(Model.self)") }
    return ids
  }
}

extension Array {
  /// Returns the last element for each key, at the position of the first one with that key.
  package func lastOfEach<Key: Hashable>(
    by key: (Element) throws -> Key
  ) rethrows -> [Element] {
    guard count > 1 else { return self }
    var (indices, result) = ([Key: Int](), [Element]())
    for element in self {
      let key = try key(element)
      if let index = indices[key] {
        result[index] = element
      } else {
        indices[key] = result.count
        result.append(element)
      }
    }
    return result
  }
}

extension Array where Element: Sendable {
  /// Returns the models with matching ids.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` if the type has no ids.
  package func selected(byID isWanted: (ModelID) -> Bool) throws(EvocationError) -> [Element] {
    zip(self, try ModelID.each(of: self)).filter { isWanted($0.1) }.map(\.0)
  }
}
