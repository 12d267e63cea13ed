package import Foundation

/// The JSON form of models in entries, and of properties that are not single values.
///
/// Numbers that JSON does not have are text.
package enum ModelJSON {
  // Each is made once, because that takes as long as encoding a small model (`storeOne, outbox`).
  private static let encoder = encoder([])

  /// Writes keys in one order, so that equal models have equal text.
  private static let orderedEncoder = encoder([.sortedKeys, .withoutEscapingSlashes])

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()

  private static func encoder(_ formatting: JSONEncoder.OutputFormatting) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.outputFormatting = formatting
    return encoder
  }

  /// Encodes a model.
  package static func data(_ model: some Encodable) throws -> Data {
    try encoder.encode(model)
  }

  /// Decodes a model.
  package static func model<Model: Decodable>(_ type: Model.Type, _ data: Data) throws -> Model {
    try decoder.decode(type, from: data)
  }

  /// Encodes a value so that equal values have equal text.
  static func ordered(_ value: some Encodable) throws -> Data {
    try orderedEncoder.encode(value)
  }

  /// Does the same for a model that may be coded; nil if it is not.
  package static func ordered<Model: Sendable>(ifCoded model: Model) -> Data? {
    (model as? any Encodable).flatMap { try? ordered($0) }
  }

  /// Returns the JSON of a property, or throws if no decoder can read it.
  static func checked(_ json: Data, _ property: String) throws -> String {
    // `JSONEncoder` writes a decimal that is not a number.
    if json.contains(UInt8(ascii: "N")), json.range(of: Data("NaN".utf8)) != nil,
      (try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)) == nil
    {
      throw EncodingError.invalidValue(
        json,
        .init(
          codingPath: [AnyKey(property)],
          debugDescription: "It holds a Decimal that is not a number, which JSON cannot represent.")
      )
    }
    return String(decoding: json, as: UTF8.self)
  }

  /// Returns a model's properties as JSON; nil for a type that is not coded as an object.
  package static func properties<Model: Sendable>(of model: Model) -> JSONProperties? {
    ordered(ifCoded: model).flatMap(JSONProperties.init)
  }

  /// Returns the value of an object's only property; nil if it has another type.
  package static func onlyValue<Value>(_ type: Value.Type, of object: Data) -> Value? {
    func opened<Known: Decodable>(_ type: Known.Type) -> Value? {
      (try? model([String: Known].self, object))?.values.first as? Value
    }
    return (Value.self as? any Decodable.Type).flatMap { opened($0) }
  }

  /// Returns the model that has these properties.
  package static func model<Model: Sendable>(
    _ type: Model.Type, _ properties: JSONProperties
  ) throws -> Model? {
    func opened<Known: Decodable>(_ type: Known.Type) throws -> Model? {
      try Self.model(type, properties.data) as? Model
    }
    return try (Model.self as? any Decodable.Type).flatMap { try opened($0) }
  }
}

/// The properties of a JSON object by their keys.
///
/// Each value is text that is not parsed, so that no number loses a digit.
package struct JSONProperties: Equatable {
  private(set) var values: [ByteText: [UInt8]] = [:]

  package init() {}

  /// Creates the properties of an object; nil for data that is not an object.
  package init?(_ data: Data) {
    let bytes = [UInt8](data)
    guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return nil }
    var (index, depth, start) = (1, 0, 1)
    var key: ByteText?
    func take(_ end: Int) {
      if let key { values[key] = Array(bytes[start..<end]) }
      key = nil
    }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let end = Self.endOfText(bytes, index)
        if depth == 0, key == nil, end < bytes.count, bytes[end] == UInt8(ascii: ":") {
          key = ByteText(String(decoding: bytes[index..<end], as: UTF8.self))
          start = end + 1
        }
        index = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { take(index) }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { take(index) }
      default: break
      }
      index += 1
    }
  }

  /// The value of a key as it is written in JSON, with its quotes; nil if the key is missing.
  package subscript(key: ByteText) -> [UInt8]? {
    get { values[key] }
    set { values[key] = newValue }
  }

  package var keys: Set<ByteText> { Set(values.keys) }

  /// Moves the value of a key to another key, and returns whether there is one.
  package mutating func rename(_ key: String, to new: String) -> Bool {
    func isKey(_ text: ByteText) -> Bool {
      let name = try? ModelJSON.model(String.self, Data(text.text.utf8))
      return name.map { $0.hasSameBytes(as: key) } ?? false
    }
    guard let former = values.keys.first(where: isKey), let text = try? ModelJSON.data(new) else {
      return false
    }
    values[ByteText(String(decoding: text, as: UTF8.self))] = values.removeValue(forKey: former)
    return true
  }

  /// The object as JSON.
  package var data: Data {
    var bytes = [UInt8(ascii: "{")]
    for (key, value) in values {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += key.text.utf8
      bytes.append(UInt8(ascii: ":"))
      bytes += value
    }
    return Data(bytes + [UInt8(ascii: "}")])
  }

  /// Returns the index after the text that begins at an index.
  private static func endOfText(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }
}
