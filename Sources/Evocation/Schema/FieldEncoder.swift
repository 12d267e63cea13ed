import Foundation

/// Encodes a model into the values that criteria compare.
///
/// Dates, UUIDs, data, URLs and decimals are values of their own here, whatever their own encoding
/// would produce.
package final class FieldEncoder: Encoder {
  package let codingPath: [any CodingKey]
  package let userInfo: [CodingUserInfoKey: Any] = [:]
  private var content: Content = .nothing
  private var unfinished: [(index: Int, encoder: FieldEncoder)] = []

  private enum Content {
    case nothing
    case other(Field)
    case list([Field])
    case object(Fields)
  }

  init(codingPath: [any CodingKey]) {
    self.codingPath = codingPath
  }

  /// Returns the fields that the model encodes.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)`` for a model that encodes no
  ///   keys.
  package static func fields(of model: some Encodable) throws -> Fields {
    let encoder = FieldEncoder(codingPath: [])
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
  package static func field<Value: Encodable>(
    of value: Value, codingPath: [any CodingKey] = []
  ) throws -> Field {
    if let scalar = Criteria.Scalar(coded: value) { return .scalar(scalar) }
    let encoder = FieldEncoder(codingPath: codingPath)
    try value.encode(to: encoder)
    return encoder.field
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = content { content = .object(Fields()) }
    return KeyedEncodingContainer(Keyed<Key>(encoder: self))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = content { content = .list([]) }
    return Unkeyed(encoder: self)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(encoder: self)
  }

  private var field: Field {
    for (index, encoder) in unfinished { replace(at: index, with: encoder.field) }
    unfinished = []
    return switch content {
    case .nothing: .object(Fields())
    case .other(let field): field
    case .list(let elements): .list(elements)
    case .object(let fields): .object(fields)
    }
  }

  private func replace(at index: Int, with field: Field) {
    switch content {
    case .object(var fields):
      content = .nothing
      fields.replace(at: index, with: field)
      content = .object(fields)
    case .list(var elements):
      elements[index] = field
      content = .list(elements)
    case .nothing, .other: break
    }
  }
}

extension FieldEncoder {
  /// The number of elements that were encoded without keys.
  var count: Int {
    guard case .list(let elements) = content else { return 0 }
    return elements.count
  }

  /// Sets the single value that represents the whole.
  func set(_ field: Field) {
    content = .other(field)
  }

  /// Appends the value of a key, moving the content out and back so that it is never copied.
  func append(_ field: Field, _ name: String) {
    guard case .object(var fields) = content else { return }
    content = .nothing
    fields.append(field, name)
    content = .object(fields)
  }

  /// Appends the next element.
  func append(_ field: Field) {
    guard case .list(var elements) = content else { return }
    content = .nothing
    elements.append(field)
    content = .list(elements)
  }

  /// Returns an encoder whose content becomes the key's value when everything is encoded.
  func child(_ key: any CodingKey) -> FieldEncoder {
    let encoder = FieldEncoder(codingPath: codingPath + [key])
    guard case .object(let fields) = content else { return encoder }
    unfinished.append((fields.names.count, encoder))
    append(.scalar(.null), key.stringValue)
    return encoder
  }

  /// Returns an encoder whose content becomes the next element when everything is encoded.
  func child() -> FieldEncoder {
    let encoder = FieldEncoder(codingPath: codingPath)
    unfinished.append((count, encoder))
    append(.scalar(.null))
    return encoder
  }
}

extension FieldEncoder {
  struct Single: SingleValueEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
      encoder.set(.scalar(.null))
    }

    func encode<Value: Encodable>(_ value: Value) throws {
      encoder.set(try FieldEncoder.field(of: value, codingPath: codingPath))
    }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

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

    func superEncoder() -> any Encoder {
      encoder.child()
    }
  }
}
