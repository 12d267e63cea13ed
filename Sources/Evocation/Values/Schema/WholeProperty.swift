/// A stored property whose value no other single value can replace: an object, a list of a fixed length,
/// or a text of a form of its own.
struct WholeProperty<Coded: Codable> {
  private let path: PartialKeyPath<Coded>
  private let fields: Fields
  private let read: Field?
  private let others: [Coded]

  /// Creates it from a model, its fields, and other models, which may have other keys.
  init(_ path: PartialKeyPath<Coded>, of model: Coded, fields: Fields, others: [Coded]) {
    (self.path, self.fields, self.others) = (path, fields, others)
    read = Field(read: model[keyPath: path])
  }

  /// Returns the property's coding key; nil if it is not known.
  ///
  /// The parameters are whether it is stored, and not computed, and whether it is what the one key holds
  /// of which nothing else is known.
  func name(isStored: Bool, isAlone: Bool) -> String? {
    var unvaried: [String] = []
    let others = others.compactMap(values)
    for candidate in fields.places where candidate.field == read {
      // In other models, two properties may change together, so that these only say what is no key.
      guard others.allSatisfy({ $0.coded.value(under: candidate.path) == $0.read }) else {
        continue
      }
      let changed = variations(of: candidate).compactMap {
        SchemaProbe.value(of: Coded.self, coded: $0).flatMap(values)
      }
      let isVaried = changed.contains { $0.coded.value(under: candidate.path) != candidate.field }
      let isSame = changed.allSatisfy { $0.coded.value(under: candidate.path) == $0.read }
      if !isVaried { unvaried.append(candidate.name) }
      if isVaried, isSame, isStored { return candidate.name }
    }
    // Nothing is proved by one value, unless the key path is known to read what is stored.
    return isAlone && unvaried.count == 1 ? unvaried[0] : nil
  }

  /// Returns what the key path reads of a model, and what the model encodes; nil if that fails.
  private func values(of model: Coded) -> (read: Field?, coded: Fields)? {
    (try? FieldEncoder.fields(of: model)).map { (Field(read: model[keyPath: path]), $0) }
  }

  /// Returns the fields with other values at a place and inside it.
  private func variations(of place: Fields.Leaf) -> [Fields] {
    var values = place.field.variations
    if case .object(let inner) = place.field {
      values += inner.leaves.flatMap { leaf in
        leaf.field.variations.map { .object(inner.replacing(leaf.path, with: $0)) }
      }
    }
    return values.map { fields.replacing(place.path, with: $0) }
  }
}

extension Fields {
  /// Returns the value of a key inside others; null if there is none.
  fileprivate func value(under path: [String]) -> Field { field(under: path) ?? .scalar(.null) }

  /// The values of all keys, those inside others too.
  fileprivate var places: [Leaf] {
    zip(names, values).flatMap { name, value in
      let own = [Leaf(path: [name], field: value)]
      guard case .object(let fields) = value else { return own }
      return own + fields.places.map { Leaf(path: [name] + $0.path, field: $0.field) }
    }
  }
}

extension Field {
  /// Other values that a type may have in place of this one, the last of which is null.
  fileprivate var variations: [Field] {
    let others: [Field] =
      switch self {
      // A type that takes few texts may take one that begins alike.
      case .scalar(.text(let text)):
        (Criteria.Scalar.text(text).otherValues + [.text(text + "a")]).map { .scalar($0) }
      case .scalar(let scalar): scalar.otherValues.map { .scalar($0) }
      // A dictionary takes any key, and makes its value up if it is none.
      case .object(let fields): fields.names.isEmpty ? [.object(.one)] : []
      case .list(let elements):
        [.list(elements.isEmpty ? [.scalar(.integer(1))] : [])]
          + elements.indices.flatMap { index in
            elements[index].variations.map { other in
              var changed = elements
              changed[index] = other
              return .list(changed)
            }
          }
      }
    return others.filter { $0 != self } + [.scalar(.null)]
  }
}

extension Fields {
  fileprivate static var one: Fields {
    var fields = Fields()
    fields.append(.scalar(.integer(1)), "1")
    return fields
  }
}
