internal import Evocation

/// The values that a model encodes into a nested container, kept until they are complete.
final class JSONTree: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var content: Content = .nothing

  private enum Content {
    case nothing
    case null
    case value(any Encodable)
    case list([any Encodable])
    case object([(name: String, value: any Encodable)])
  }

  init(codingPath: [any CodingKey]) {
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = content { content = .object([]) }
    return KeyedEncodingContainer(Keyed<Key>(tree: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = content { content = .list([]) }
    return Unkeyed(tree: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(tree: self)
  }

  private func add(_ value: any Encodable, _ name: String) {
    guard case .object(var members) = content else { return }
    content = .nothing
    members.append((name, value))
    content = .object(members)
  }

  private func add(_ value: any Encodable) {
    guard case .list(var elements) = content else { return }
    content = .nothing
    elements.append(value)
    content = .list(elements)
  }

  private var count: Int {
    if case .list(let elements) = content { elements.count } else { 0 }
  }

  private func child(_ key: (any CodingKey)? = nil) -> JSONTree {
    let child = JSONTree(codingPath: codingPath + (key.map { [$0] } ?? []))
    if let key { add(child, key.stringValue) } else { add(child) }
    return child
  }

  private static var null: JSONTree {
    let tree = JSONTree(codingPath: [])
    tree.content = .null
    return tree
  }
}

extension JSONTree: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch content {
    case .nothing:
      _ = encoder.container(keyedBy: AnyKey.self)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .value(let value):
      // This uses a container, because JSON encodes URLs and data in its own way.
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let members):
      var container = encoder.container(keyedBy: AnyKey.self)
      for member in members { try container.encode(member.value, forKey: AnyKey(member.name)) }
    }
  }
}

extension JSONTree {
  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: JSONTree

    var codingPath: [any CodingKey] { tree.codingPath }

    func encodeNil(forKey key: Key) { tree.add(JSONTree.null, key.stringValue) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
      tree.add(value, key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      tree.child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      tree.child(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { tree.child(AnyKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { tree.child(key) }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let tree: JSONTree

    var codingPath: [any CodingKey] { tree.codingPath }
    var count: Int { tree.count }

    func encodeNil() { tree.add(JSONTree.null) }
    func encode<Value: Encodable>(_ value: Value) { tree.add(value) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      tree.child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      tree.child().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { tree.child() }
  }

  private struct Single: SingleValueEncodingContainer {
    let tree: JSONTree

    var codingPath: [any CodingKey] { tree.codingPath }

    func encodeNil() { tree.content = .null }
    func encode<Value: Encodable>(_ value: Value) { tree.content = .value(value) }
  }
}
