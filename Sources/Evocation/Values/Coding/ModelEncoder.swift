import Foundation

/// The target of the values of a model's own properties: a statement, or a row.
package protocol ValueSink: AnyObject {
  /// Writes a single value, the JSON of any other value as text, or null.
  func put(_ value: Criteria.Scalar, _ place: Int32)
}

/// Encodes models into a sink, property by property.
///
/// What a model encodes decides, and not its type: a property of a single kind is one value, and
/// any other property is its JSON form.
package final class ModelEncoder: ModelCoder, Encoder {
  /// Where the values go; each use sets it.
  @exclusivity(unchecked) package var sink: any ValueSink  // "store": checks are a tenth of it

  /// The properties that the model encodes with a nested container.
  private var nested: [PropertySlot] = []

  /// The keys under which the model last encoded a value that has no place; not those of null, which
  /// an absent key means too.
  package private(set) var unplaced: [String] = []

  package init(_ layout: ModelLayout, into sink: any ValueSink) {
    self.sink = sink
    super.init(layout)
  }

  /// Encodes a model into the sink.
  package func encode(_ model: some Encodable) throws {
    nested = []
    if !unplaced.isEmpty { unplaced = [] }
    try model.encode(to: self)
    if nested.isEmpty { return }
    let properties = JSONProperties(try ModelJSON.ordered(model))
    for slot in nested {
      guard let name = layout.name(slot) else { continue }
      let key = ByteText(String(decoding: try ModelJSON.ordered(name), as: UTF8.self))
      let json = Data(properties?[key] ?? Array("null".utf8))
      put(json: try ModelJSON.checked(json, name), slot)
    }
  }

  /// Encodes a property's value as its kind, whatever its own coding is, or as JSON.
  @inline(__always)
  package func put<Value: Encodable>(
    _ value: Value, _ slot: PropertySlot, key: @autoclosure () -> String = ""
  ) throws {
    if slot.isPlain, let scalar = Criteria.Scalar(coded: value) {
      sink.put(scalar, slot.place)
    } else if slot.isThere {
      try putUnusual(value, slot)
    } else if slot.isUnknown {
      try recordUnplaced(value, under: key())
    }
  }

  /// Records the key of a value that has no place, unless it is null.
  @inline(never)
  private func recordUnplaced<Value: Encodable>(_ value: Value, under key: String) throws {
    if try FieldEncoder.field(of: value) != .scalar(.null) { unplaced.append(key) }
  }

  @inline(never)
  private func putUnusual<Value: Encodable>(_ value: Value, _ slot: PropertySlot) throws {
    if slot.isPlain {
      let count = nested.count
      try value.encode(to: PropertyEncoder(model: self, slot: slot))
      // It may have used a container with keys or elements, in spite of its kind.
      if nested.count == count { return }
      nested.removeLast(nested.count - count)
    }
    let name = layout.name(slot) ?? ""
    put(json: try ModelJSON.checked(ModelJSON.ordered(value), name), slot)
  }

  private func put(json: String, _ slot: PropertySlot) {
    sink.put(json == "null" ? .null : .text(json), slot.place)
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    container(keyedBy: type) { keys in
      KeyedEncodingContainer(PropertyWriter<Key>(model: self, keys: keys))
    }
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    FieldEncoder().unkeyedContainer()
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer {
    WholeModel(model: self)
  }

  /// Returns an encoder for a property whose value is taken from the model's JSON afterwards.
  fileprivate func nest(
    _ slot: PropertySlot, key: @autoclosure () -> String = ""
  ) -> FieldEncoder {
    if slot.isUnknown { unplaced.append(key()) } else { nested.append(slot) }
    return FieldEncoder()
  }
}

/// The keyed container of a model: each key is a property.
private struct PropertyWriter<Key: CodingKey>: NilWritingContainer {
  let model: ModelEncoder
  unowned(unsafe) let keys: KeyMap  // the model keeps it

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    let slot = keys.slot(key)
    if slot.isThere { model.sink.put(.null, slot.place) }
  }

  @inline(__always)
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try model.put(value, keys.slot(key), key: key.stringValue)
  }

  @inline(__always)
  func put<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    let slot = keys.slot(key)
    if let value {
      try model.put(value, slot, key: key.stringValue)
    } else if slot.isThere {
      model.sink.put(.null, slot.place)
    }
  }

  func superEncoder() -> any Encoder { model.nest(keys.find("super"), key: "super") }
  func superEncoder(forKey key: Key) -> any Encoder {
    model.nest(keys.slot(key), key: key.stringValue)
  }
}

/// Encodes a property's value that encodes itself, such as an enum or a wrapper of a value.
private struct PropertyEncoder: Encoder, SingleValueEncodingContainer {
  let model: ModelEncoder
  let slot: PropertySlot

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    model.nest(slot).container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { model.nest(slot).unkeyedContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { model.sink.put(.null, slot.place) }
  func encode<Value: Encodable>(_ value: Value) throws { try model.put(value, slot) }
}

/// The single-value container of a whole model, for one that encodes itself as another type.
private struct WholeModel: SingleValueEncodingContainer {
  let model: ModelEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: model) }
}
