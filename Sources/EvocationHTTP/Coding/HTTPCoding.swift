import Evocation
import Foundation

/// Turns models into bodies and back, in the configured envelope.
struct HTTPCoding: Sendable {
  let format: HTTPFormat
  /// The coding keys that a model may lack, for which answers are searched.
  let optional: [AnyKey]
  /// Those of them that then have another value than nil.
  let defaulted: Set<String>
  /// The keys that answers have besides those of the models; nil if no write has to give them back.
  let others: OtherKeys?

  /// Creates the coding of models of a type, whose properties have these names at the service.
  init<Model: Decodable>(_ format: HTTPFormat, of type: Model.Type, names: KeyNames) {
    self.format = format
    let schema = try? ModelSchema.of(type)
    others = OtherKeys(format, schema, names: names)
    // Where the service leaves out null, a key that is missing has it.
    let properties = format.omitsNulls ? [] : schema?.properties.filter(\.isOptional) ?? []
    optional = properties.map { AnyKey($0.name) }
    defaulted = Set(properties.lazy.filter(\.hasDefault).map(\.name))
  }

  /// Returns the places of models in an answer.
  private func shape(isList: Bool) -> ContentShape {
    var shape = ContentShape(format, isList: isList)
    (shape.optional, shape.others) = (optional, others)
    return shape
  }

  /// Returns the body of a request.
  func body(
    _ models: [(some Encodable, RequestSelection)], asArray: Bool
  ) throws -> Data {
    let content = models.map { RequestModel(model: $0, selection: $1) }
    guard !asArray, let one = content.first else { return try body(content, isList: true) }
    return try body(one, isList: false)
  }

  /// Decodes the body of an answer with several models.
  func list<Model: Decodable & Identifiable>(
    of type: Model.Type, from body: Data, mayBeEmpty: Bool = false, isRead: Bool = false
  ) throws -> Content<[Model]> {
    var shape = shape(isList: true)
    shape.mayBeEmpty = mayBeEmpty
    shape.leavesOut = isRead && format.elements == .leaveOut
    guard !mayBeEmpty || !body.isEmpty else { return Content(value: []) }
    let decoder = format.decoder()
    if let absent = absent(inListOf: shape, body, for: decoder) {
      let content = try decoder.decode(Enveloped<[Model]>.self, from: body, configuration: shape)
      if content.value.count == absent.count || !shape.looksForKeys {
        return Content(value: content.value, absent: absent.sets, found: content.found)
      }
    }
    let content = try decoder.decode(
      Enveloped<ShapedList<Model>>.self, from: body, configuration: shape
    )
    return Content(
      value: content.value.models, versions: content.value.versions,
      absent: content.value.absent.sets, leftOut: content.value.leftOut, found: content.found
    )
  }

  /// Returns the keys that the models of a list lack; nil if each has to be decoded by its parts.
  private func absent(
    inListOf shape: ContentShape, _ body: Data, for decoder: JSONDecoder
  ) -> AbsentKeys? {
    guard shape.version == nil, !shape.mayBeEmpty, !shape.isLifted, !shape.leavesOut,
      shape.element == nil
    else {
      return nil
    }
    guard shape.looksForKeys else { return AbsentKeys() }
    guard case .useDefaultKeys = decoder.keyDecodingStrategy, !decoder.allowsJSON5,
      !shape.path.contains(".")
    else { return nil }
    return KeyScanner.absent(optional, others, inListAt: shape.path, of: body)
  }

  /// Decodes the body of an answer with one model, which may be the only element of an array.
  ///
  /// If lists are objects by id, the model may lack its id; the parameter supplies it.
  ///
  /// - Returns: Content with a value of nil for an array without models.
  func one<Model: Decodable>(
    of type: Model.Type, from body: Data, id: String? = nil, mayBeEmpty: Bool = false
  ) throws -> Content<Model?> {
    var shape = shape(isList: false)
    shape.id = format.listsByID ? id : nil
    shape.mayBeEmpty = mayBeEmpty
    guard !mayBeEmpty || !body.isEmpty else { return Content(value: nil) }
    let decoder = format.decoder()
    if shape.isBare {
      guard body.firstSign == UInt8(ascii: "[") else {
        return Content(value: try decoder.decode(Model.self, from: body))
      }
    }
    let content = try decoder.decode(
      Enveloped<VersionedOne<Model>>.self, from: body, configuration: shape
    )
    return Content(
      value: content.value.model, versions: [content.value.version],
      absent: content.value.absent.isEmpty ? [] : [content.value.absent], found: content.found
    )
  }

  /// Decodes the body of an answer that has only some keys of a model, and the others as they were sent.
  ///
  /// - Throws: An error if it does not have what it must have, or another id than the model.
  func completed<Model: Codable & Identifiable>(
    _ sent: Model, by body: Data, part: ContentShape.Part
  ) throws -> Content<Model?> {
    var shape = shape(isList: false)
    shape.part = part
    return try format.decoder().decode(
      Completed<Model>.self, from: format.encoder().encode(sent),
      configuration: Completed.Answer(body: body, shape: shape, decoder: format.decoder())
    ).content
  }

  /// Decodes the body of an answer with changed and removed models.
  func changes<Model: Decodable & Identifiable>(
    of type: Model.Type, from body: Data, changes: HTTPFormat.ChangeList
  ) throws -> Content<ShapedList<Model>> {
    var shape = shape(isList: true)
    shape.removal = changes.removed
    shape.leavesOut = format.elements == .leaveOut
    let content = try format.decoder().decode(
      Enveloped<ShapedList<Model>>.self, from: body, configuration: shape
    )
    return Content(
      value: content.value, absent: content.value.absent.sets, leftOut: content.value.leftOut,
      found: content.found)
  }

  /// Decodes a model, or an array of models, at a place in the data of an event.
  func live<Model: Decodable & Identifiable>(
    _ type: Model.Type, from data: Data, at place: String, id: String?
  ) throws -> Content<[Model]> {
    var shape = shape(isList: false)
    shape.path = place
    shape.id = format.listsByID ? id : nil
    let content = try format.decoder().decode(
      Enveloped<OneOrSeveral<Model>>.self, from: data, configuration: shape)
    return Content(
      value: content.value.models, versions: content.value.versions,
      absent: content.value.absent)
  }

  /// Returns the ids of the models at a place in the data of an event, which do not decode as models.
  ///
  /// It is nil if one has no id.
  func liveIDs(in data: Data, at place: String, id: String?) -> [String]? {
    if format.listsByID, let id { return [id] }
    var shape = shape(isList: false)
    shape.path = place
    let objects = try? format.decoder().decode(
      Enveloped<ModelObjects>.self, from: data, configuration: shape
    ).value.objects
    let ids = objects?.compactMap(\.id)
    return ids.flatMap { $0.isEmpty || $0.count < objects?.count ?? 0 ? nil : $0 }
  }

  /// Returns the model at a place in the answer to a conflict, with or without an envelope.
  func current<Model: Decodable>(
    _ type: Model.Type, in body: Data, at place: String, id: String? = nil
  ) -> Content<Model?>? {
    var shape = shape(isList: false)
    shape.id = format.listsByID ? id : nil
    if place.isEmpty, let content = try? one(of: type, from: body, id: id) { return content }
    shape.path = place
    let content = try? format.decoder().decode(
      Enveloped<VersionedOne<Model>>.self, from: body, configuration: shape
    )
    return content.map { content in
      Content(
        value: content.value.model, versions: [content.value.version],
        absent: content.value.absent.isEmpty ? [] : [content.value.absent])
    }
  }

  /// Returns the models of an answer as JSON, each with its id.
  func objects(in body: Data, isList: Bool) throws -> [ModelObjects.Object] {
    guard !body.isEmpty else { return [] }
    return try format.decoder().decode(
      Enveloped<ModelObjects>.self, from: body, configuration: shape(isList: isList)
    ).value.objects
  }

  /// Returns the body of a removal, which has only the ids.
  func body(ids: [Criteria.Scalar], asArray: Bool) throws -> Data {
    let ids = ids.map(EncodedID.init)
    return try asArray ? body(ids, isList: true) : body(ids[0], isList: false)
  }

  private func body(_ content: some Encodable, isList: Bool) throws -> Data {
    let path = JSONPlace.keys(format.requestEnvelope.place(isList: isList))
    let encoder = format.encoder()
    guard !path.isEmpty else { return try encoder.encode(content) }
    return try encoder.encode(Wrapped(content: content, path: path[...]))
  }
}

/// An id as the models have it: a number, or else a text.
private struct EncodedID: Encodable {
  let scalar: Criteria.Scalar

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch scalar {
    case .integer(let number): try container.encode(number)
    case .unsigned(let number): try container.encode(number)
    case .null, .bool, .real, .decimal, .text, .date, .uuid, .data, .url:
      try container.encode(scalar.exactText)
    }
  }
}

/// Decoded models or other values, and the facts beside them in an answer's body.
struct Content<Value> {
  var value: Value
  /// The version of each model, if it is a property; otherwise empty.
  var versions: [String?] = []
  /// The coding keys that each model's answer did not have; empty if all have all.
  var absent: [Set<String>] = []
  /// The elements that do not decode.
  var leftOut = LeftOut()
  /// The texts at the requested places.
  var found: [String: String] = [:]
}

extension Content: Sendable where Value: Sendable {}

extension Content {
  /// Returns the last models of a list, with what is known of each.
  func last<Model>(_ count: Int) -> Content where Value == [Model] {
    guard value.count > count else { return self }
    return Content(
      value: value.suffix(count), versions: versions.suffix(count), absent: absent.suffix(count))
  }
}

/// The places of the models and of other values in an answer's body.
struct ContentShape {
  /// The place of the models; empty for the body itself.
  var path: String
  /// The place of a model's version.
  let version: String?
  /// Places of single values.
  let places: Set<String>
  /// The place whose value is true for a removed model; nil if the answer has none.
  var removal: String?
  /// Whether null instead of the models means that there are none.
  var mayBeEmpty = false
  /// Whether elements of a list that do not decode are left out.
  var leavesOut = false
  /// The key of the object that has a model's properties; nil if they are beside the id.
  let attributes: String?
  /// The coding keys of properties that are ids of related resources.
  let relationships: Set<String>
  /// The place of a model in an element of a list; nil for the element itself.
  private(set) var element: String?
  /// The coding key of the id.
  let identifier: String
  /// Whether a list is an object with the models under their ids.
  let isByID: Bool
  /// The id of the one model, if the model itself may lack it.
  var id: String?
  /// The coding keys that a model may lack.
  var optional: [AnyKey] = []
  /// The keys that it may have besides those of its type; nil if they do not matter.
  var others: OtherKeys?
  /// The model as it was sent, if the answer may have only some of its keys.
  var sent: (any Decoder)?
  /// What is read of such an answer.
  var part = Part()

  /// What is read of an answer that has only some keys of a model.
  struct Part {
    /// The coding keys that only the answer can have, such as that of an id which the service assigned.
    var own: Set<String> = []
    /// Whether all keys are read that it has, and not only the id and the version.
    var isOpen = false
    /// The place of the id; nil for the key that it has in models.
    var place: String?
  }

  /// Whether a model must be put together from several places.
  var isLifted: Bool { attributes != nil || isByID || id != nil }

  init(_ format: HTTPFormat, isList: Bool) {
    path = format.envelope.place(isList: isList)
    if isList, let array = path.range(of: "[].") {
      element = String(path[array.upperBound...])
      path = String(path[..<array.lowerBound])
    }
    relationships = Set(format.relationships.keys.lazy.map(\.name))
    (attributes, identifier) = (format.attributes, format.identifierKey.name)
    isByID = isList && format.listsByID
    if case .property(let key) = format.version { version = key } else { version = nil }
    var places: Set<String> = []
    if isList {
      if case .key(let key)? = format.total { places.insert(key) }
      switch format.next {
      case .key(let key): places.insert(key)
      case .token(let key, _, let more): places.formUnion([key] + (more.map { [$0] } ?? []))
      case .last(_, let more): places.insert(more)
      case .pages(let key): places.insert(key)
      case .never, .link, .header, .offset, nil: break
      }
      if case .key(let key)? = format.changes?.mark { places.insert(key) }
      places.formUnion(format.metadata.values)
    }
    self.places = places
  }

  /// Whether the body is the models and nothing else.
  var isBare: Bool {
    path.isEmpty && version == nil && places.isEmpty && !mayBeEmpty && !isLifted
      && !looksForKeys
  }

  /// Whether the keys of the models have to be looked at.
  var looksForKeys: Bool { !optional.isEmpty || others != nil && others?.areThere != true }
}

/// A model as an answer and what was sent have it together.
private struct Completed<Model: Decodable>: DecodableWithConfiguration {
  struct Answer {
    let body: Data
    var shape: ContentShape
    let decoder: JSONDecoder
  }

  let content: Content<Model?>

  init(from sent: any Decoder, configuration answer: Answer) throws {
    var shape = answer.shape
    shape.sent = sent
    let one = try answer.decoder.decode(
      Enveloped<VersionedOne<Model>>.self, from: answer.body, configuration: shape
    ).value
    content = Content(value: one.model, versions: [one.version])
  }
}

/// Content inside objects, for a request.
private struct Wrapped<Inner: Encodable>: Encodable {
  let content: Inner
  let path: ArraySlice<String>

  func encode(to encoder: any Encoder) throws {
    guard let key = path.first else { return try content.encode(to: encoder) }
    var container = encoder.container(keyedBy: AnyKey.self)
    let inner = Wrapped(content: content, path: path.dropFirst())
    if inner.path.isEmpty {
      try container.encode(content, forKey: AnyKey(key))
    } else {
      try container.encode(inner, forKey: AnyKey(key))
    }
  }
}
