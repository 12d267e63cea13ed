import Evocation
import Foundation

/// The value at one place of an answer, and single texts at other places.
struct Enveloped<Value: ShapedContent>: DecodableWithConfiguration {
  let value: Value
  private(set) var found: [String: String] = [:]

  init(from decoder: any Decoder, configuration shape: ContentShape) throws {
    let inner = try shape.path.reduce(decoder) { decoder, key in
      let container = try decoder.container(keyedBy: AnyKey.self)
      return try container.superDecoder(forKey: container.key(key))
    }
    value = try Value(from: inner, shape)
    for place in shape.places { found[place] = Self.text(at: place, in: decoder) }
  }

  private static func text(at place: String, in decoder: any Decoder) -> String? {
    let keys = HTTPFormat.Envelope.parts(place)
    guard let last = keys.last else { return nil }
    var inner = decoder
    for key in keys.dropLast() {
      guard let container = try? inner.container(keyedBy: AnyKey.self),
        let next = try? container.superDecoder(forKey: container.key(key))
      else { return nil }
      inner = next
    }
    return (try? inner.container(keyedBy: AnyKey.self))?.text(last)
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
    return LiftedDecoder(base: decoder, attributes: attributes, identifier: identifier, id: id)
  }
}

/// Several models, each with its version, and the ids of removed models.
struct ShapedList<Model: Decodable & Identifiable>: ShapedContent {
  var models: [Model] = []
  var versions: [String?] = []
  var removed: [Criteria.Scalar] = []

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
    let container = try? element.container(keyedBy: AnyKey.self)
    if let container, let removal = shape.removal, container.isTrue(removal.flag) {
      removed.append(try container.identifier(removal.identifier, Model.ID.self))
    } else {
      models.append(try Model(from: shape.lifted(element, id: id)))
      if let key = shape.version { versions.append(container?.text(key)) }
    }
  }
}

/// One model with its version, even if it is the only element of an array.
struct VersionedOne<Model: Decodable>: ShapedContent {
  let model: Model?
  let version: String?

  init(from decoder: any Decoder, _ shape: ContentShape) throws {
    if shape.mayBeEmpty, try decoder.singleValueContainer().decodeNil() {
      (model, version) = (nil, nil)
      return
    }
    guard var list = try? decoder.unkeyedContainer() else {
      model = try Model(from: shape.lifted(decoder, id: shape.id))
      version = shape.version.flatMap { key in
        (try? decoder.container(keyedBy: AnyKey.self))?.text(key)
      }
      return
    }
    guard !list.isAtEnd else {
      (model, version) = (nil, nil)
      return
    }
    let one = try Self(from: try list.superDecoder(), shape)
    guard list.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: list, debugDescription: "There are several models instead of one."
      )
    }
    (model, version) = (one.model, one.version)
  }
}

/// One model or an array of models, each with its version.
struct OneOrSeveral<Model: Decodable & Identifiable>: ShapedContent {
  let models: [Model]
  let versions: [String?]

  init(from decoder: any Decoder, _ shape: ContentShape) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      let list = try ShapedList<Model>(from: decoder, shape)
      (models, versions) = (list.models, list.versions)
    } else {
      let one = try VersionedOne<Model>(from: decoder, shape)
      models = one.model.map { [$0] } ?? []
      versions = shape.version == nil ? [] : [one.version]
    }
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// Returns the key of a value; a decoder that converts keys has already converted it.
  func key(_ name: String) -> AnyKey {
    let key = AnyKey(name)
    guard !contains(key) else { return key }
    let words = name.split(separator: "_")
    let camel = words.dropFirst().reduce(into: String(words.first ?? "")) { $0 += $1.capitalized }
    return contains(AnyKey(camel)) ? AnyKey(camel) : key
  }

  func isTrue(_ name: String) -> Bool {
    (try? decode(Bool.self, forKey: key(name))) ?? false
  }

  /// Returns an id of the models' type, or else a text.
  func identifier<ID>(_ name: String, _ type: ID.Type) throws -> Criteria.Scalar {
    let key = key(name)
    if let type = type as? any Decodable.Type, let id = try? decode(type, forKey: key) as? ID,
      let scalar = ModelID.scalars(of: id, isCoded: true)?.first
    {
      return scalar
    }
    guard let text = text(name) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "A removed model has no id."))
    }
    return .text(text)
  }

  /// Returns a text, a number or a Boolean as a text; nil for anything else.
  func text(_ name: String) -> String? {
    let key = key(name)
    if let text = try? decode(String.self, forKey: key) { return text }
    if let number = try? decode(Int64.self, forKey: key) { return String(number) }
    if let truth = try? decode(Bool.self, forKey: key) { return String(truth) }
    return (try? decode(Double.self, forKey: key)).map { "\($0)" }
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
