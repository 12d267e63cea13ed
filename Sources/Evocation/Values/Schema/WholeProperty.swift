/// A stored property whose value no other single value can replace: an object, a list of a fixed length,
/// or a text of a form of its own.
struct WholeProperty<Coded: Codable> {
  private let path: PartialKeyPath<Coded>
  private let fields: Fields
  private let read: Field?

  init(_ path: PartialKeyPath<Coded>, of model: Coded, fields: Fields) {
    (self.path, self.fields, read) = (path, fields, Field(read: model[keyPath: path]))
  }

  /// Returns the property's coding key; nil if it is not known.
  ///
  /// The parameters are its name, which is nil if it may be computed, and whether it is what the one key
  /// holds of which nothing else is known.
  func name(stored property: String?, isAlone: Bool) -> String? {
    var unvaried: [String] = []
    for candidate in fields.places where candidate.field == read {
      var (isVaried, isSame) = (false, true)
      for changed in variations(of: candidate) {
        guard let (value, coded) = values(under: candidate.path, in: changed),
          coded != candidate.field
        else { continue }
        isVaried = true
        isSame = isSame && value == coded
      }
      if !isVaried { unvaried.append(candidate.name) }
      if isVaried, isSame, property != nil { return candidate.name }
    }
    // Nothing is proved by one value, unless the key path is known to read what is stored.
    return isAlone && unvaried.count == 1 ? unvaried[0] : unvaried.first { $0 == property }
  }

  /// Returns what the key path reads of a changed model, and what that encodes; nil if the type refuses
  /// the change.
  private func values(under keys: [String], in fields: Fields) -> (read: Field?, coded: Field)? {
    guard let model = SchemaProbe.value(of: Coded.self, coded: fields),
      let coded = try? FieldEncoder.fields(of: model)
    else { return nil }
    return (Field(read: model[keyPath: path]), coded.field(under: keys) ?? .scalar(.null))
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
