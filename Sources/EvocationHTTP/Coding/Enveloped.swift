import Evocation
import Foundation

/// The value at one place of an answer, and single texts at other places.
struct Enveloped<Value: ShapedContent>: DecodableWithConfiguration {
  let value: Value
  private(set) var found: [String: String] = [:]

  init(from decoder: any Decoder, configuration shape: ContentShape) throws {
    // What is missing is looked for by its keys, so that the decoder names the place.
    let inner =
      try decoder.decoder(at: shape.path)
      ?? JSONPlace.keys(shape.path).reduce(decoder) { decoder, key in
        let container = try decoder.container(keyedBy: AnyKey.self)
        return try container.superDecoder(forKey: container.key(key))
      }
    value = try Value(from: inner, shape)
    for place in shape.places { found[place] = decoder.text(at: place) }
  }
}

/// Content whose decoding depends on the shape of the answer.
protocol ShapedContent {
  init(from decoder: any Decoder, _ shape: ContentShape) throws
}

extension Array: ShapedContent where Element: Decodable {
  init(from decoder: any Decoder, _ shape: ContentShape) throws {
    try self.init(from: decoder)
  }
}

extension ContentShape {
  /// Returns a decoder that finds a model's properties, and its id, where the type looks for them.
  func lifted(_ decoder: any Decoder, id: String? = nil) -> any Decoder {
    guard isLifted else { return decoder }
    return LiftedDecoder(
      base: decoder, attributes: attributes, identifier: identifier, id: id,
      relationships: relationships)
  }

  /// Returns the decoder of the model in an element of a list.
  fileprivate func model(in element: any Decoder) throws -> any Decoder {
    guard let place = self.element else { return element }
    if let model = element.decoder(at: place) { return model }
    throw DecodingError.keyNotFound(
      AnyKey(place),
      .init(codingPath: element.codingPath, debugDescription: "The element has no model."))
  }

  /// Returns a decoder that finds in the sent model what an answer lacks, if it may lack anything.
  fileprivate func completed(_ model: any Decoder) -> any Decoder {
    guard let sent else { return model }
    return CompletedDecoder(base: model, sent: sent, shape: self, part: part)
  }

  /// Returns the coding keys that a model's answer does not have.
  fileprivate func absent(in model: any Decoder) -> Set<String> {
    guard looksForKeys, let answer = try? model.container(keyedBy: AnyKey.self) else {
      return []
    }
    if let others, others.areThere != true { others.record(answer.allKeys) }
    // Most answers have all keys, and then nothing is allocated.
    return optional.reduce(into: []) { absent, key in
      if !answer.contains(key) { absent.insert(key.stringValue) }
    }
  }

  /// Returns the version of a model: one of its properties, or a value beside them.
  fileprivate func version(of model: any Decoder) -> String? {
    guard let version else { return nil }
    return lifted(model).text(at: version) ?? (isLifted ? model.text(at: version) : nil)
  }

  /// Returns the id of a removed model, or nil for a model that was not removed.
  fileprivate func removed<Model: Identifiable>(
    _ model: any Decoder, id: String?, of type: Model.Type
  ) throws -> Criteria.Scalar? {
    guard let removal else { return nil }
    let lifted = lifted(model, id: id)
    let isTrue = [lifted, model].lazy.compactMap { $0.decoder(at: removal) }
      .first.flatMap { try? $0.singleValueContainer().decode(Bool.self) }
    guard isTrue == true else { return nil }
    return try lifted.container(keyedBy: AnyKey.self).identifier(identifier, of: type)
  }
}

/// Several models, each with its version, and the ids of removed models.
struct ShapedList<Model: Decodable & Identifiable>: ShapedContent {
  var models: [Model] = []
  var versions: [String?] = []
  var removed: [Criteria.Scalar] = []
  var absent = AbsentKeys()
  var leftOut = LeftOut()

  init(from decoder: any Decoder, _ shape: ContentShape) throws {
    if shape.mayBeEmpty, try decoder.singleValueContainer().decodeNil() { return }
    if shape.isByID, let object = try? decoder.container(keyedBy: AnyKey.self) {
      for key in object.allKeys.map(\.stringValue).sorted(by: IDOrder.comesBefore) {
        try add(try object.superDecoder(forKey: AnyKey(key)), shape, id: key)
      }
      return
    }
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd {
      // Firebase reads numeric ids as positions in an array, whose gaps are null.
      if shape.isByID, try list.decodeNil() { continue }
      let place = shape.isByID ? "\(list.currentIndex)" : nil
      try add(try list.superDecoder(), shape, id: place)
    }
  }

  private mutating func add(
    _ element: any Decoder, _ shape: ContentShape, id: String? = nil
  ) throws {
    let element = try shape.model(in: element)
    if let removed = try shape.removed(element, id: id, of: Model.self) {
      self.removed.append(removed)
    } else {
      let lifted = shape.lifted(element, id: id)
      do {
        models.append(try Model(from: lifted))
      } catch  where shape.leavesOut {
        return leaveOut(lifted, shape, because: error)
      }
      absent.append(shape.absent(in: lifted))
      if shape.version != nil { versions.append(shape.version(of: element)) }
    }
  }
}

extension ShapedList {
  private mutating func leaveOut(
    _ element: any Decoder, _ shape: ContentShape, because error: any Error
  ) {
    let container = try? element.container(keyedBy: AnyKey.self)
    let id = try? container?.identifier(shape.identifier, of: Model.self)
    let schema = try? ModelSchema.of(Model.self)
    // A value of another kind is no id of such a model.
    let isKnown = id.flatMap { id in
      schema.map {
        (try? Criteria(.isIn(.init(shape.identifier), [id])).resolved(against: $0)) != nil
      }
    }
    leftOut.add(
      unreadable: isKnown == true ? id : nil,
      at: models.count + removed.count + leftOut.count,
      because: "that cannot be read (\(Undecodable.reason(error, body: Data())))")
  }
}

/// The coding keys that the models of a list lack, which take no memory where none lacks any.
struct AbsentKeys: Sendable {
  private(set) var count = 0
  private var found: [Set<String>] = []

  /// For each of the models; empty where none lacks any.
  var sets: [Set<String>] {
    found.isEmpty ? [] : found + Array(repeating: [], count: count - found.count)
  }

  mutating func append(_ keys: Set<String>) {
    count += 1
    guard !keys.isEmpty else { return }
    while found.count < count - 1 { found.append([]) }
    // The models of a list mostly lack the same keys, and then share them.
    found.append(found.last == keys ? found[found.count - 1] : keys)
  }
}

/// One model with its version, even if it is the only element of an array.
struct VersionedOne<Model: Decodable>: ShapedContent {
  let model: Model?
  let version: String?
  /// The coding keys that the answer does not have.
  let absent: Set<String>

  init(from decoder: any Decoder, _ shape: ContentShape) throws {
    if shape.mayBeEmpty, try decoder.singleValueContainer().decodeNil() {
      (model, version, absent) = (nil, nil, [])
      return
    }
    guard var list = try? decoder.unkeyedContainer() else {
      let lifted = shape.lifted(decoder, id: shape.id)
      model = try Model(from: shape.completed(lifted))
      version = shape.version(of: decoder)
      absent = shape.absent(in: lifted)
      return
    }
    guard !list.isAtEnd else {
      (model, version, absent) = (nil, nil, [])
      return
    }
    let one = try Self(from: try list.superDecoder(), shape)
    guard list.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: list, debugDescription: "There are several models instead of one."
      )
    }
    (model, version, absent) = (one.model, one.version, one.absent)
  }
}

/// Models as JSON, which have what their type does not know.
struct ModelObjects: ShapedContent {
  struct Object {
    let id: String?
    /// The properties by their keys, as the service writes them.
    let properties: [String: JSONValue]
  }

  private(set) var objects: [Object] = []

  init(from decoder: any Decoder, _ shape: ContentShape) throws {
    guard var list = try? decoder.unkeyedContainer() else {
      // The answer may be null where there is no model.
      if try !decoder.singleValueContainer().decodeNil() { try add(decoder, shape) }
      return
    }
    while !list.isAtEnd { try add(try shape.model(in: try list.superDecoder()), shape) }
  }

  private mutating func add(_ model: any Decoder, _ shape: ContentShape) throws {
    let properties = shape.attributes.flatMap { model.decoder(at: $0) } ?? model
    objects.append(
      Object(
        id: model.text(at: shape.identifier),
        properties: try properties.singleValueContainer().decode([String: JSONValue].self)))
  }
}

/// One model or an array of models, each with its version.
struct OneOrSeveral<Model: Decodable & Identifiable>: ShapedContent {
  let models: [Model]
  let versions: [String?]
  let absent: [Set<String>]

  init(from decoder: any Decoder, _ shape: ContentShape) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      let list = try ShapedList<Model>(from: decoder, shape)
      (models, versions, absent) = (list.models, list.versions, list.absent.sets)
    } else {
      let one = try VersionedOne<Model>(from: decoder, shape)
      models = one.model.map { [$0] } ?? []
      versions = shape.version == nil ? [] : [one.version]
      absent = one.absent.isEmpty ? [] : [one.absent]
    }
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// Returns an id of the models' type, as models encode it, or else a text.
  func identifier<Model: Identifiable>(
    _ name: String, of type: Model.Type
  ) throws -> Criteria.Scalar {
    let (key, identity) = (key(name), ModelIdentity.of(type))
    if let idType = Model.ID.self as? any Decodable.Type,
      let id = try? decode(idType, forKey: key) as? Model.ID,
      let scalar = identity.scalars(of: id, in: type)?.first
    {
      return scalar
    }
    let text =
      (try? decode(String.self, forKey: key)) ?? (try? superDecoder(forKey: key))?.text(at: "")
    guard let text else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "A removed model has no id."))
    }
    let schema = (type as? any Decodable.Type).flatMap { try? ModelSchema.of($0) }
    return schema.flatMap { identity.scalar(ofText: text, in: $0) } ?? .text(text)
  }
}

/// The order of ids that are the keys of an object.
private enum IDOrder {
  /// Whether an id comes before another: numbers by their value, and then texts by their code points.
  static func comesBefore(_ one: String, _ other: String) -> Bool {
    switch (Int64(one), Int64(other)) {
    case (let one?, let other?): one < other
    case (nil, nil): one.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    case (let number, _): number != nil
    }
  }
}
