import Foundation

/// Values that a type gives of itself when it refuses those that are made up.
extension SchemaProbe {
  /// An example of a type: its own, or one for a library's type that takes few values.
  ///
  /// `URLComponents` even ends the program when its scheme is not one.
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

  /// The first case of an enum that takes nothing but what its own cases code.
  ///
  /// It is coded as its raw value, a single value, or under the name of the case, so that its
  /// decoding asks for all keys.
  static func firstCase<Value>(_ type: Value.Type, _ recorder: SchemaRecorder) -> Value? {
    guard recorder.shapes == [.single] || recorder.asksForAllKeys else { return nil }
    if let type = type as? any CaseIterable.Type { return firstOfAll(type) as? Value }
    guard recorder.shapes == [.single], let type = type as? any RawRepresentable.Type else {
      return nil
    }
    return firstRaw(type) as? Value
  }

  /// The first case of an enum of coding keys, which is all that an enum with payloads asks for.
  static func firstKey<Key: CodingKey>(_ type: Key.Type) -> Key? {
    // Keys without a bit are those of one case or of none, which cannot be told apart.
    guard MemoryLayout<Key>.size > 0, let first = zero(type) else { return nil }
    return Key(stringValue: first.stringValue)
  }

  private static func firstOfAll<Value: CaseIterable>(_ type: Value.Type) -> Any? {
    Value.allCases.first
  }

  private static func firstRaw<Value: RawRepresentable>(_ type: Value.Type) -> Value? {
    zero(type).flatMap { Value(rawValue: $0.rawValue) }
  }

  /// The enum whose bits are all zero: its first case, because the cases of an enum without
  /// payloads are counted from zero.
  ///
  /// Swift has no other way to a case of an enum that is not `CaseIterable`, and hardly any model
  /// does without such an enum. What comes of it is asked for its raw value or its name and for
  /// nothing else, and the type's own init makes the value of these. Two bytes hold nothing but
  /// numbers, Booleans and enums, each of which may be zero, and no reference.
  private static func zero<Value>(_ type: Value.Type) -> Value? {
    guard MemoryLayout<Value>.size <= 2 else { return nil }
    let value = withUnsafeBytes(of: UInt16(0)) { $0.load(as: type) }
    return Mirror(reflecting: value).displayStyle == .enum ? value : nil
  }
}
