import Foundation

/// Values that a type has of itself, for types that refuse made-up values.
extension SchemaProbe {
  /// Returns an example of a type: its own, or one for a library's type that accepts few values.
  ///
  /// `URLComponents` even ends the program if its scheme is invalid.
  static func example<Value>(of type: Value.Type) -> (any Codable)? {
    switch type {
    case let type as any CodableExample.Type: type.example
    case let type as any SIMD.Type: type.init()
    case is Calendar.Type: Calendar(identifier: .gregorian)
    case is TimeZone.Type: TimeZone.gmt
    case is URLComponents.Type: URLComponents(string: "http://localhost/")
    default: nil
    }
  }

  /// Returns the first case of an enum that accepts only what its own cases encode.
  ///
  /// Such an enum encodes its raw value, a single value, or the name of the case, so that its
  /// decoding asks for all keys.
  static func firstCase<Value>(_ type: Value.Type, _ recorder: SchemaRecorder) -> Value? {
    guard recorder.shapes == [.single] || recorder.asksForAllKeys else { return nil }
    if let type = type as? any CaseIterable.Type { return firstOfAll(type) as? Value }
    guard recorder.shapes == [.single], let type = type as? any RawRepresentable.Type else {
      return nil
    }
    return firstRaw(type) as? Value
  }

  /// Returns the first case of an enum of coding keys; an enum with payloads asks for no other
  /// keys.
  static func firstKey<Key: CodingKey>(_ type: Key.Type) -> Key? {
    // Keys without a bit have one case or none, and the two are indistinguishable.
    guard MemoryLayout<Key>.size > 0, let first = zero(type) else { return nil }
    return Key(stringValue: first.stringValue)
  }

  private static func firstOfAll<Value: CaseIterable>(_ type: Value.Type) -> Any? {
    Value.allCases.first
  }

  private static func firstRaw<Value: RawRepresentable>(_ type: Value.Type) -> Value? {
    zero(type).flatMap { Value(rawValue: $0.rawValue) }
  }

  /// Returns the enum whose bits are all zero.
  ///
  /// That is its first case, because the cases of an enum without payloads are counted from zero.
  /// Swift has no other way to a case of an enum that is not `CaseIterable`, and hardly any model
  /// lacks such an enum. Only the raw value or the name of the result is read, and the type's own
  /// init makes a value of them. Two bytes hold only numbers, Booleans and enums, each of which may
  /// be zero, and no reference.
  private static func zero<Value>(_ type: Value.Type) -> Value? {
    guard MemoryLayout<Value>.size <= 2 else { return nil }
    let value = withUnsafeBytes(of: UInt16(0)) { $0.load(as: type) }
    return Mirror(reflecting: value).displayStyle == .enum ? value : nil
  }
}
