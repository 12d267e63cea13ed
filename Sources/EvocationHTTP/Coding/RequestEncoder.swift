import Evocation
import Foundation

/// Passes all values to another encoder, adds null for nil, and drops properties that are not sent.
///
/// The `Encodable` code that Swift generates leaves nil out. A service that merges what it receives
/// would then keep the value that the app removed.
struct RequestEncoder: Encoder {
  let base: any Encoder
  let selection: RequestSelection

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    guard let attributes = selection.attributes else {
      let base = base.container(keyedBy: type)
      return KeyedEncodingContainer(RequestContainer(base: base, selection: selection))
    }
    var outer = base.container(keyedBy: AnyKey.self)
    if let type = selection.type { try? outer.encode(type, forKey: AnyKey("type")) }
    let inner = outer.nestedContainer(keyedBy: type, forKey: AnyKey(attributes))
    return KeyedEncodingContainer(
      RequestContainer(base: inner, outer: outer, selection: selection))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    base.unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    base.singleValueContainer()
  }
}

/// Which of a model's own properties are sent, by their coding keys.
struct RequestSelection: Sendable {
  var writesNulls = false
  var excluded: Set<String> = []
  /// The only ones to be sent; nil for all.
  var only: Set<String>?
  /// Keys that the model itself does not encode, which are sent as null.
  var nulls: Set<String> = []
  /// What the service has under keys that the type does not have.
  var others: [String: JSONValue] = [:]
  /// Whether UUIDs are written in lowercase.
  var lowercasesUUIDs = false
  /// The key of the object that has the properties, beside the id; nil for none.
  var attributes: String?
  /// The type of the model, which is beside its id; nil for none.
  var type: String?
  /// The types of related resources, by the coding keys of the properties that are their ids.
  var relationships: [String: String] = [:]
  /// The coding key of the id.
  var identifier = "id"

  /// Whether a model is sent as it encodes itself.
  var isWhole: Bool {
    !writesNulls && excluded.isEmpty && only == nil && attributes == nil && !lowercasesUUIDs
      && nulls.isEmpty && others.isEmpty
  }

  func takes(_ key: some CodingKey) -> Bool {
    // Beside an object of properties, the id is always sent, unless it is excluded.
    if attributes != nil, key.stringValue == identifier, !excluded.contains(identifier) {
      return true
    }
    return !excluded.contains(key.stringValue) && (only?.contains(key.stringValue) ?? true)
  }
}

/// A model in a request.
struct RequestModel<Model: Encodable>: Encodable {
  let model: Model
  let selection: RequestSelection

  func encode(to encoder: any Encoder) throws {
    if selection.isWhole {
      var container = encoder.singleValueContainer()
      try container.encode(model)
    } else {
      let encoder = RequestEncoder(base: encoder, selection: selection)
      try model.encode(to: encoder)
      guard !selection.nulls.isEmpty || !selection.others.isEmpty else { return }
      var container = encoder.container(keyedBy: AnyKey.self)
      for key in selection.nulls.sorted() { try container.encodeNil(forKey: AnyKey(key)) }
      for (key, value) in selection.others.sorted(by: { $0.key < $1.key }) {
        try container.encode(value, forKey: AnyKey(key))
      }
    }
  }
}

/// The keyed container of a ``RequestEncoder``.
///
/// It passes values on, because names, dates and data have the forms that the service's own encoder
/// gives them.
private struct RequestContainer<Key: CodingKey>: NilWritingContainer {
  let base: KeyedEncodingContainer<Key>
  /// The container of the id, if the properties have a separate object.
  var outer: KeyedEncodingContainer<AnyKey>?
  let selection: RequestSelection

  var codingPath: [any CodingKey] { base.codingPath }

  func encodeNil(forKey key: Key) throws {
    guard selection.takes(key) else { return }
    if try relate(nil, key) { return }
    var base = base
    try base.encodeNil(forKey: key)
  }

  /// Writes ids of related resources; false for a property that is none.
  private func relate(_ ids: (any Encodable)?, _ key: Key) throws -> Bool {
    guard let type = selection.relationships[key.stringValue], var outer else { return false }
    var all = outer.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("relationships"))
    var related = all.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(key.stringValue))
    try related.encode(RelatedIDs(ids: ids, type: type), forKey: AnyKey("data"))
    return true
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    guard selection.takes(key) else { return }
    if try relate(value, key) { return }
    if selection.lowercasesUUIDs, let uuid = value as? UUID {
      return try encode(uuid.uuidString.lowercased(), forKey: key)
    }
    if var outer, key.stringValue == selection.identifier {
      try outer.encode(value, forKey: AnyKey(key.stringValue))
    } else {
      var base = base
      try base.encode(value, forKey: key)
    }
  }

  func put<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value {
      try encode(value, forKey: key)
    } else if selection.writesNulls {
      try encodeNil(forKey: key)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    var base = base
    return base.nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    var base = base
    return base.nestedUnkeyedContainer(forKey: key)
  }

  func superEncoder() -> any Encoder {
    var base = base
    return base.superEncoder()
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    var base = base
    return base.superEncoder(forKey: key)
  }
}

/// Ids of related resources as JSON:API has them: `{"type": "people", "id": "9"}`, an array, or null.
private struct RelatedIDs: Encodable {
  let ids: (any Encodable)?
  let type: String

  func encode(to encoder: any Encoder) throws {
    let json = try ids.map {
      try JSONSerialization.jsonObject(with: JSONEncoder().encode([Erased(value: $0)]))
    }
    let value = (json as? [Any])?.first
    if let list = value as? [Any] {
      var container = encoder.unkeyedContainer()
      for id in list { try container.encode(["type": type, "id": "\(id)"]) }
    } else {
      var container = encoder.singleValueContainer()
      guard let value, !(value is NSNull) else { return try container.encodeNil() }
      try container.encode(["type": type, "id": "\(value)"])
    }
  }
}

/// A value of a type that is not known.
private struct Erased: Encodable {
  let value: any Encodable

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
