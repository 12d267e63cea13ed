import Evocation
import Foundation

/// Reads a model whose properties are in an object beside its id, or whose id is its key.
///
/// `{"id": "1", "attributes": {"name": "Fiat"}}`, as in JSON:API, and `{"1": {"name": "Fiat"}}`.
struct LiftedDecoder: Decoder {
  let base: any Decoder
  /// The key of the object that has the properties; nil if they are beside the id.
  let attributes: String?
  /// The coding key of the id.
  let identifier: String
  /// The id, if it is the key of the model.
  var id: String?
  /// The coding keys of properties that are ids of related resources.
  var relationships: Set<String> = []

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let outer = try base.container(keyedBy: Key.self)
    var inner = outer
    if let attributes {
      let container = try base.container(keyedBy: AnyKey.self)
      let key = container.key(attributes)
      // A model without properties has no such object.
      if container.contains(key) {
        inner = try container.superDecoder(forKey: key).container(keyedBy: Key.self)
      }
    }
    return KeyedDecodingContainer(
      LiftedContainer(
        outer: outer, inner: inner, identifier: identifier, id: id, related: related()
      ) { key in
        key.stringValue == identifier && outer.contains(key)
      })
  }

  /// Returns the ids of related resources as JSON.
  private func related() -> [String: String] {
    relationships.reduce(into: [:]) { related, key in
      guard let data = base.decoder(at: "relationships.\(key).data") else { return }
      if var list = try? data.unkeyedContainer() {
        var ids: [String] = []
        while !list.isAtEnd {
          guard let id = (try? list.superDecoder())?.text(at: "id") else { return }
          ids.append(id.inJSON)
        }
        related[key] = "[\(ids.joined(separator: ","))]"
      } else if (try? data.singleValueContainer())?.decodeNil() == true {
        related[key] = "null"
      } else {
        related[key] = data.text(at: "id")?.inJSON
      }
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try base.singleValueContainer()
  }
}

/// Reads the answer to a write that has only some keys of the model, and the others as they were sent.
struct CompletedDecoder: Decoder {
  let base: any Decoder
  let sent: any Decoder
  let shape: ContentShape
  let part: ContentShape.Part

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let outer = try base.container(keyedBy: Key.self)
    let names = try base.container(keyedBy: AnyKey.self)
    let version = JSONPlace.keys(shape.version ?? "")
    let keys = Set(([shape.identifier] + version).map { names.key($0).stringValue })
    let id = part.place.flatMap { base.text(at: $0)?.inJSON }
    let container = LiftedContainer(
      outer: outer, inner: try sent.container(keyedBy: Key.self), identifier: shape.identifier,
      id: nil, related: id.map { [shape.identifier: $0] } ?? [:]
    ) { key in
      part.own.contains(key.stringValue)
        || outer.contains(key) && (part.isOpen || keys.contains(key.stringValue))
    }
    return KeyedDecodingContainer(container)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try base.singleValueContainer()
  }
}

/// Two containers of one model, each of which has some of its keys.
private struct LiftedContainer<Key: CodingKey>: AbsentReadingContainer {
  let outer: KeyedDecodingContainer<Key>
  let inner: KeyedDecodingContainer<Key>
  let identifier: String
  let id: String?
  /// The ids of related resources as JSON, by their coding keys.
  var related: [String: String] = [:]
  let isOuter: (Key) -> Bool

  var codingPath: [any CodingKey] { inner.codingPath }

  var allKeys: [Key] {
    outer.allKeys.filter(isOuter) + inner.allKeys.filter { !isOuter($0) }
  }

  func contains(_ key: Key) -> Bool { place(key).contains(key) || json(of: key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if let json = json(of: key) { return json == "null" }
    return try place(key).decodeNil(forKey: key)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let json = json(of: key) else { return try place(key).decode(type, forKey: key) }
    // An id is decoded as a text first, and then as a number.
    for text in [json, json.replacing("\"", with: "")] {
      if let value = try? JSONDecoder().decode([Value].self, from: Data("[\(text)]".utf8)).first {
        return value
      }
    }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: outer,
      debugDescription: isID(key)
        ? "The key of the model is not an id." : "The relationship has no id of that type.")
  }

  func take<Value: Decodable>(_ key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try decode(Value.self, forKey: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try place(key).nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try place(key).nestedUnkeyedContainer(forKey: key)
  }

  func superDecoder() throws -> any Decoder { try inner.superDecoder() }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try place(key).superDecoder(forKey: key)
  }

  private func isID(_ key: Key) -> Bool { key.stringValue == identifier }

  private func place(_ key: Key) -> KeyedDecodingContainer<Key> {
    isOuter(key) ? outer : inner
  }

  /// The ids of a relationship, or the id from the model's key, if the model itself has none.
  private func json(of key: Key) -> String? {
    if let ids = related[key.stringValue] { return ids }
    guard isID(key), !place(key).contains(key) else { return nil }
    return id?.inJSON
  }
}
