import Foundation

/// Values that a type has of itself, for types that refuse made-up values.
extension SchemaProbe {
  /// Returns the examples of a type: its own, or one for a library's type that accepts few values.
  ///
  /// `URLComponents` even ends the program if its scheme is invalid.
  static func examples<Value>(of type: Value.Type) -> [any Codable] {
    if type == Calendar.self {
      return [Calendar.Identifier.gregorian, .buddhist].map(Calendar.init)
    }
    if type == TimeZone.self {
      return [TimeZone.gmt] + [TimeZone(secondsFromGMT: 3600)].compactMap { $0 }
    }
    if type == URLComponents.self {
      return ["http://localhost/", "http://localhost/a"].compactMap { URLComponents(string: $0) }
    }
    if _typeName(type).hasPrefix("Swift.") {
      return (type as? any SIMD.Type).map { [$0.init()] } ?? []
    }
    return (type as? any CodableExample.Type).map { examples($0) } ?? []
  }

  private static func examples<Value: CodableExample>(_ type: Value.Type) -> [any Codable] {
    type.examples
  }

  /// Returns the cases of an enum that accepts only what its own cases encode; none for other types.
  ///
  /// Such an enum encodes its raw value, a single value, or the name of the case, so that its
  /// decoding asks for all keys.
  static func cases<Value>(of type: Value.Type, _ recorder: SchemaRecorder) -> [Any] {
    guard recorder.shapes == [.single] || recorder.asksForAllKeys else { return [] }
    if let type = type as? any CaseIterable.Type { return all(type) }
    guard recorder.shapes == [.single], let type = type as? any RawRepresentable.Type else {
      return []
    }
    return raw(type)
  }

  /// Returns the cases of an enum of coding keys; an enum with payloads asks for no other keys.
  static func keys<Key: CodingKey>(_ type: Key.Type) -> [Key] {
    // Keys without a bit have one case or none, and the two are indistinguishable.
    guard MemoryLayout<Key>.size > 0 else { return [] }
    return plainCases(type).prefix(mostCases).compactMap { Key(stringValue: $0.stringValue) }
  }

  private static func all<Value: CaseIterable>(_ type: Value.Type) -> [Any] {
    Array(Value.allCases.prefix(mostCases))
  }

  private static func raw<Value: RawRepresentable>(_ type: Value.Type) -> [Any] {
    plainCases(type).compactMap { Value(rawValue: $0.rawValue) }
  }

  /// How many cases of one type are tried.
  private static let mostCases = 256

  /// Returns the cases of an enum without payloads; of one with more than 255 cases, the first.
  ///
  /// Swift has no other way to a case of an enum that is not `CaseIterable`, and hardly any model
  /// lacks such an enum. It counts such cases from zero, and uses the first number after them for the
  /// optional without a value. Only the raw values or the names of the results are read, and the
  /// type's own init makes values of them. Two bytes hold only numbers, Booleans and enums, each of
  /// which may be zero, and no reference.
  private static func plainCases<Value>(_ type: Value.Type) -> [Value] {
    guard MemoryLayout<Value>.size <= 2, let first: Value = plainCase(0),
      Mirror(reflecting: first).displayStyle == .enum
    else { return [] }
    // Zero is a case with a payload if there is one, and then the numbers do not count the cases.
    guard MemoryLayout<Value>.size == 1, MemoryLayout<Value?>.size == 1,
      Mirror(reflecting: first).children.isEmpty
    else { return [first] }
    let count = withUnsafeBytes(of: Value?.none) { UInt16($0[0]) }
    return (0..<count).compactMap { plainCase($0) }
  }

  private static func plainCase<Value>(_ number: UInt16) -> Value? {
    withUnsafeBytes(of: number.littleEndian) { $0.load(as: Value.self) }
  }
}
