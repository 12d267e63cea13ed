package import Foundation

/// The source of the values of a model's own properties: a row.
///
/// Each method returns nil if the value has another type.
package protocol ValueSource: AnyObject {
  func isNull(_ place: Int32) -> Bool
  func bool(_ place: Int32) -> Bool?
  func integer(_ place: Int32) -> Int64?
  /// Returns a whole number above the range of `Int64`.
  func unsigned(_ place: Int32) -> UInt64?
  func real(_ place: Int32) -> Double?
  func text(_ place: Int32) -> String?
  func uuid(_ place: Int32) -> UUID?
  func data(_ place: Int32) -> Data?
  /// Returns the JSON form of a value, and JSON's `null` for null.
  func json(_ place: Int32) -> Data
}

/// Decodes models from a source, property by property.
package final class ModelDecoder: ModelCoder, Decoder {
  fileprivate let source: any ValueSource

  package init(_ layout: ModelLayout, from source: any ValueSource) {
    self.source = source
    super.init(layout)
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    container(keyedBy: type) { keys in
      KeyedDecodingContainer(PropertyReader<Key>(model: self, keys: keys))
    }
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch(
      [Any].self,
      .init(
        codingPath: [],
        debugDescription: "A row has keys, and the model asks for elements without keys."))
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer {
    WholeModel(model: self)
  }

  /// Decodes a property's value as its kind, whatever its own coding is, or from JSON.
  ///
  /// No value here is a `Value?`, because the type of an optional would be looked up for each
  /// (`find all`).
  @inline(__always)
  package func value<Value: Decodable>(
    _ type: Value.Type, _ slot: PropertySlot
  ) throws -> Value {
    guard slot.isPlain else { return try unusual(type, slot) }
    let place = slot.place
    if type == Date.self {
      return try found(
        source.real(place).map { Date(timeIntervalSinceReferenceDate: $0) }, type, slot: slot)
    }
    if type == UUID.self { return try found(source.uuid(place), type, slot: slot) }
    if type == Data.self { return try found(source.data(place), type, slot: slot) }
    if type == URL.self {
      return try found(source.text(place).flatMap { URL(string: $0) }, type, slot: slot)
    }
    if type == Decimal.self {
      return try found(
        source.text(place).flatMap { $0 == "NaN" ? .nan : Decimal(string: $0) }, type, slot: slot)
    }
    if type == String.self { return try found(source.text(place), type, slot: slot) }
    if type == Bool.self { return try found(source.bool(place), type, slot: slot) }
    if type == Double.self { return try found(source.real(place), type, slot: slot) }
    if type == Float.self {
      return try found(source.real(place).map { Float($0) }, type, slot: slot)
    }
    if type == Int.self { return try found(number(place) as Int?, type, slot: slot) }
    if type == Int64.self { return try found(number(place) as Int64?, type, slot: slot) }
    if type == Int32.self { return try found(number(place) as Int32?, type, slot: slot) }
    if type == Int16.self { return try found(number(place) as Int16?, type, slot: slot) }
    if type == Int8.self { return try found(number(place) as Int8?, type, slot: slot) }
    if type == UInt.self { return try found(number(place) as UInt?, type, slot: slot) }
    if type == UInt64.self { return try found(number(place) as UInt64?, type, slot: slot) }
    if type == UInt32.self { return try found(number(place) as UInt32?, type, slot: slot) }
    if type == UInt16.self { return try found(number(place) as UInt16?, type, slot: slot) }
    if type == UInt8.self { return try found(number(place) as UInt8?, type, slot: slot) }
    return try unusual(type, slot)
  }

  @inline(never)
  private func unusual<Value: Decodable>(_ type: Value.Type, _ slot: PropertySlot) throws -> Value {
    if slot.isPlain { return try Value(from: PropertyDecoder(model: self, slot: slot)) }
    return try ModelJSON.model(type, source.json(slot.place))
  }

  @inline(__always)
  private func number<Number: FixedWidthInteger>(_ place: Int32) -> Number? {
    if let value = source.integer(place) { return Number(exactly: value) }
    return source.unsigned(place).flatMap { Number(exactly: $0) }
  }

  @inline(__always)
  private func found<Known, Value>(
    _ value: Known?, _ type: Value.Type, slot: PropertySlot
  ) throws -> Value {
    guard let value else { throw mismatch(type, slot) }
    // The caller has checked that the types are the same. A cast would look that up for each value.
    return unsafeBitCast(value, to: type)
  }

  @inline(never)
  private func mismatch(_ type: Any.Type, _ slot: PropertySlot) -> DecodingError {
    let path = codingPath(of: slot)
    if source.isNull(slot.place) {
      return .valueNotFound(type, .init(codingPath: path, debugDescription: "The column is null."))
    }
    return .typeMismatch(
      type, .init(codingPath: path, debugDescription: "The column holds another type."))
  }

  fileprivate func codingPath(of slot: PropertySlot) -> [any CodingKey] {
    layout.name(slot).map { [AnyKey($0)] } ?? []
  }

  /// Returns the decoder of a property's JSON.
  fileprivate func nested(_ slot: PropertySlot) throws -> any Decoder {
    try ModelJSON.model(CapturedDecoder.self, source.json(slot.place)).decoder
  }
}

/// The keyed container of a model: each key is a property.
private struct PropertyReader<Key: CodingKey>: AbsentReadingContainer {
  let model: ModelDecoder
  unowned(unsafe) let keys: KeyMap  // the model keeps it

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    model.layout.names.compactMap { name in
      let slot = model.layout.slot(name)
      return model.source.isNull(slot.place) ? nil : Key(stringValue: name)
    }
  }

  /// Returns whether the property has a value.
  ///
  /// Null counts as absent, as in rows older than the column.
  func contains(_ key: Key) -> Bool { hasValue(keys.slot(key)) }

  func decodeNil(forKey key: Key) throws -> Bool { model.source.isNull(try slot(key).place) }

  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try model.value(type, slot(key))
  }

  @inline(__always)
  func take<Value: Decodable>(_ key: Key) throws -> Value? {
    let slot = keys.slot(key)
    return hasValue(slot) ? try model.value(Value.self, slot) : nil
  }

  func superDecoder() throws -> any Decoder { try model.nested(keys.find("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try model.nested(slot(key)) }

  @inline(__always)
  private func hasValue(_ slot: PropertySlot) -> Bool {
    slot.isThere && !model.source.isNull(slot.place)
  }

  @inline(__always)
  private func slot(_ key: Key) throws -> PropertySlot {
    let slot = keys.slot(key)
    if !slot.isThere { throw missing(key) }
    return slot
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key, .init(codingPath: [], debugDescription: "The table has no column of this name."))
  }
}

/// Decodes a property's value that decodes itself, such as an enum or a wrapper of a value.
private struct PropertyDecoder: Decoder, SingleValueDecodingContainer {
  let model: ModelDecoder
  let slot: PropertySlot

  var codingPath: [any CodingKey] { model.codingPath(of: slot) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try model.nested(slot).container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try model.nested(slot).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { model.source.isNull(slot.place) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try model.value(type, slot)
  }
}

/// The single-value container of a whole model, for one that decodes itself as another type.
private struct WholeModel: SingleValueDecodingContainer {
  let model: ModelDecoder

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: model) }
}

/// Extracts the `Decoder` from a `JSONDecoder`, which passes it only to what it decodes.
private struct CapturedDecoder: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) {
    self.decoder = decoder
  }
}
