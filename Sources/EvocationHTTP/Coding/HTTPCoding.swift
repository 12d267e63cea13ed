import Evocation
import Foundation

/// Turns models into bodies and back, in the configured envelope.
struct HTTPCoding: Sendable {
  let format: HTTPFormat

  /// The body of a request.
  func body(
    _ models: [(some Encodable, RequestSelection)], asArray: Bool
  ) throws -> Data {
    let content = models.map { RequestModel(model: $0, selection: $1) }
    guard !asArray, let one = content.first else { return try body(content, isList: true) }
    return try body(one, isList: false)
  }

  /// Decodes the body of an answer with several models.
  func list<Model: Decodable & Identifiable>(
    of type: Model.Type, from body: Data
  ) throws -> Content<[Model]> {
    let shape = ContentShape(format, isList: true)
    let decoder = format.decoder()
    guard !shape.isBare else { return Content(value: try decoder.decode([Model].self, from: body)) }
    guard shape.version != nil else {
      let content = try decoder.decode(Enveloped<[Model]>.self, from: body, configuration: shape)
      return Content(value: content.value, found: content.found)
    }
    let content = try decoder.decode(
      Enveloped<ShapedList<Model>>.self, from: body, configuration: shape
    )
    return Content(
      value: content.value.models, versions: content.value.versions, found: content.found
    )
  }

  /// Decodes an array that was cut out of an answer, by a decoder for all of them.
  func batch<Model: Decodable & Identifiable>(
    of type: Model.Type, from array: Data, by decoder: JSONDecoder
  ) throws -> Content<[Model]> {
    var shape = ContentShape(format, isList: true)
    guard shape.version != nil else {
      return Content(value: try decoder.decode([Model].self, from: array))
    }
    shape.path = []
    let list = try decoder.decode(
      Enveloped<ShapedList<Model>>.self, from: array, configuration: shape
    ).value
    return Content(value: list.models, versions: list.versions)
  }

  /// Decodes the body of an answer with one model, which may be the only one of an array.
  ///
  /// - Returns: nil as its value for an array without models.
  func one<Model: Decodable>(of type: Model.Type, from body: Data) throws -> Content<Model?> {
    let shape = ContentShape(format, isList: false)
    let decoder = format.decoder()
    if shape.isBare {
      guard body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "[")
      else { return Content(value: try decoder.decode(Model.self, from: body)) }
    }
    let content = try decoder.decode(
      Enveloped<VersionedOne<Model>>.self, from: body, configuration: shape
    )
    return Content(
      value: content.value.model, versions: [content.value.version], found: content.found
    )
  }

  /// Decodes the body of an answer with what changed and what was removed.
  func changes<Model: Decodable & Identifiable>(
    of type: Model.Type, from body: Data, _ changes: HTTPFormat.Changes
  ) throws -> Content<ShapedList<Model>> {
    var shape = ContentShape(format, isList: true)
    shape.removal = .init(flag: changes.removed, identifier: format.identifierKey.name)
    let content = try format.decoder().decode(
      Enveloped<ShapedList<Model>>.self, from: body, configuration: shape
    )
    return Content(value: content.value, found: content.found)
  }

  /// The model at a place in the answer to a conflict, which the service may have wrapped or not.
  func current<Model: Decodable>(
    _ type: Model.Type, in body: Data, at place: String
  ) -> Content<Model?>? {
    var shape = ContentShape(format, isList: false)
    if place.isEmpty, let content = try? one(of: type, from: body) { return content }
    shape.path = HTTPFormat.Envelope.parts(place)
    let content = try? format.decoder().decode(
      Enveloped<VersionedOne<Model>>.self, from: body, configuration: shape
    )
    return content.map { Content(value: $0.value.model, versions: [$0.value.version]) }
  }

  private func body(_ content: some Encodable, isList: Bool) throws -> Data {
    let path = format.requestEnvelope.path(isList: isList)
    let encoder = format.encoder()
    guard !path.isEmpty else { return try encoder.encode(content) }
    return try encoder.encode(Wrapped(content: content, path: path[...]))
  }
}

/// What an answer's body has beside the models.
struct Content<Value> {
  var value: Value
  /// The version of each model, where it is a property; empty where it is not.
  var versions: [String?] = []
  /// The texts at the places that were looked for.
  var found: [String: String] = [:]
}

extension Content: Sendable where Value: Sendable {}

/// Where in an answer's body the models stand, and what else is looked for.
struct ContentShape: Sendable {
  var path: [String]
  /// The key of the models' version.
  let version: String?
  /// Places of single values, with dots between keys.
  let places: Set<String>
  /// How a model that was removed is told; nil where none are.
  var removal: Removal?

  struct Removal: Sendable {
    /// The key that is true.
    var flag: String
    /// The key of the id.
    var identifier: String
  }

  init(_ format: HTTPFormat, isList: Bool) {
    path = format.envelope.path(isList: isList)
    if case .property(let key) = format.version { version = key } else { version = nil }
    var places: Set<String> = []
    if isList {
      if case .key(let key)? = format.total { places.insert(key) }
      if case .key(let key) = format.next { places.insert(key) }
      if case .key(let key)? = format.changes?.mark { places.insert(key) }
      places.formUnion(format.metadata.values)
    }
    self.places = places
  }

  /// Whether the body is the models and nothing else.
  var isBare: Bool { path.isEmpty && version == nil && places.isEmpty }
}

/// Content within objects, for a request.
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
