/// Encodes a model into the values that criteria compare.
///
/// Dates, UUIDs, data, URLs and decimals are values of their own here, whatever their own encoding
/// would produce.
package final class FieldEncoder: Encoder {
  package let codingPath: [any CodingKey]
  package let userInfo: [CodingUserInfoKey: Any] = [:]

  /// The single value that represents the whole; nil for keys or elements.
  fileprivate var single: Field?
  fileprivate var elements: [Field]?
  private var fields = Fields()
  /// The only keys that are encoded; nil for all.
  fileprivate var only: Set<String>?

  /// The encoders whose content becomes a value when everything is encoded.
  private var unfinished: [(index: Int, encoder: FieldEncoder)] = []

  init(codingPath: [any CodingKey] = []) {
    self.codingPath = codingPath
  }

  /// Returns the fields that the model encodes, or only those under some of its keys.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)`` for a model that encodes no
  ///   keys.
  package static func fields(
    of model: some Encodable, only keys: Set<String>? = nil
  ) throws -> Fields {
    let encoder = FieldEncoder()
    encoder.only = keys
    try model.encode(to: encoder)
    guard case .object(let fields) = encoder.field else {
      throw EvocationError.unmappable(
        model: "\(type(of: model))", property: "",
        reason: "it codes itself without keys; wrap it in a struct"
      )
    }
    return fields
  }

  /// Returns the field that any value encodes, with or without keys.
  @inline(__always)
  package static func field<Value: Encodable>(
    of value: Value, codingPath: @autoclosure () -> [any CodingKey] = []
  ) throws -> Field {
    if let scalar = Criteria.Scalar(coded: value) { return .scalar(scalar) }
    let encoder = FieldEncoder(codingPath: codingPath())
    try value.encode(to: encoder)
    return encoder.field
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(encoder: self))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if elements == nil { elements = [] }
    return Unkeyed(encoder: self)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(encoder: self)
  }

  private var field: Field {
    for (index, encoder) in unfinished {
      if elements == nil {
        fields.replace(at: index, with: encoder.field)
      } else {
        elements?[index] = encoder.field
      }
    }
    return single ?? elements.map { .list($0) } ?? .object(fields)
  }

  /// Adds the value of a key, or the next element without one.
  fileprivate func append(_ field: Field, _ name: String? = nil) {
    if let name { fields.append(field, name) } else { elements?.append(field) }
  }

  /// Returns an encoder for the value of a key, or for the next element without one.
  fileprivate func child(_ key: (any CodingKey)? = nil) -> FieldEncoder {
    let encoder = FieldEncoder(codingPath: codingPath + (key.map { [$0] } ?? []))
    unfinished.append((elements?.count ?? fields.names.count, encoder))
    append(.scalar(.null), key?.stringValue)
    return encoder
  }
}

extension FieldEncoder {
  fileprivate struct Keyed<Key: CodingKey>: NilWritingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
      encoder.append(.scalar(.null), key.stringValue)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      if let only = encoder.only, !only.contains(key.stringValue) { return }
      let field = try FieldEncoder.field(of: value, codingPath: codingPath + [key])
      encoder.append(field, key.stringValue)
    }

    func put<Value: Encodable>(_ value: Value?, _ key: Key) throws {
      guard let value else { return encodeNil(forKey: key) }
      try encode(value, forKey: key)
    }

    func superEncoder() -> any Encoder { encoder.child(AnyKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
  }

  fileprivate struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elements?.count ?? 0 }

    func encodeNil() {
      encoder.append(.scalar(.null))
    }

    func encode<Value: Encodable>(_ value: Value) throws {
      encoder.append(try FieldEncoder.field(of: value, codingPath: codingPath))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      encoder.child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder.child().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.child() }
  }

  fileprivate struct Single: SingleValueEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
      encoder.single = .scalar(.null)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
      encoder.single = try FieldEncoder.field(of: value, codingPath: codingPath)
    }
  }
}
