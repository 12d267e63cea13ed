import Foundation

/// A type that is a single value here, whatever its own encoding would produce.
protocol SchemaLeaf: Decodable {
  static var scalarKind: ScalarKind { get }

  /// Returns a value for a probe.
  static func sample(_ inputs: ProbeInputs) -> Self

  /// Returns the value of an example; nil if that has another type.
  static func taken(from scalar: Criteria.Scalar) -> Self?
}

extension SchemaLeaf {
  static func taken(from scalar: Criteria.Scalar) -> Self? { scalar.canonical as? Self }
}

extension SchemaLeaf where Self: FixedWidthInteger {
  static var scalarKind: ScalarKind { Self.max > Int64.max ? .unsigned : .integer }

  static func sample(_ inputs: ProbeInputs) -> Self { Self(inputs.number) }

  static func taken(from scalar: Criteria.Scalar) -> Self? {
    if case .unsigned(let value) = scalar { return Self(exactly: value) }
    if case .integer(let value) = scalar { return Self(exactly: value) }
    return nil
  }
}

extension Int: SchemaLeaf {}
extension Int8: SchemaLeaf {}
extension Int16: SchemaLeaf {}
extension Int32: SchemaLeaf {}
extension Int64: SchemaLeaf {}
extension UInt: SchemaLeaf {}
extension UInt8: SchemaLeaf {}
extension UInt16: SchemaLeaf {}
extension UInt32: SchemaLeaf {}
extension UInt64: SchemaLeaf {}

extension Bool: SchemaLeaf {
  static var scalarKind: ScalarKind { .bool }
  static func sample(_ inputs: ProbeInputs) -> Bool { inputs.number != 0 }
}

extension String: SchemaLeaf {
  static var scalarKind: ScalarKind { .text }
  static func sample(_ inputs: ProbeInputs) -> String { inputs.text }
}

extension Double: SchemaLeaf {
  static var scalarKind: ScalarKind { .real }
  static func sample(_ inputs: ProbeInputs) -> Double { Double(inputs.number) }
}

extension Float: SchemaLeaf {
  static var scalarKind: ScalarKind { .real }
  static func sample(_ inputs: ProbeInputs) -> Float { Float(inputs.number) }
  static func taken(from scalar: Criteria.Scalar) -> Float? {
    Double.taken(from: scalar).map { Float($0) }
  }
}

extension Decimal: SchemaLeaf {
  static var scalarKind: ScalarKind { .decimal }
  static func sample(_ inputs: ProbeInputs) -> Decimal { Decimal(inputs.number) }
}

extension Date: SchemaLeaf {
  static var scalarKind: ScalarKind { .date }
  static func sample(_ inputs: ProbeInputs) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(inputs.number))
  }
}

extension UUID: SchemaLeaf {
  static var scalarKind: ScalarKind { .uuid }
  static func sample(_ inputs: ProbeInputs) -> UUID { UUID() }
}

extension Data: SchemaLeaf {
  static var scalarKind: ScalarKind { .data }
  static func sample(_ inputs: ProbeInputs) -> Data { Data(inputs.text.utf8) }
}

extension URL: SchemaLeaf {
  static var scalarKind: ScalarKind { .url }
  static func sample(_ inputs: ProbeInputs) -> URL {
    URL(string: "http://localhost/") ?? URL(filePath: "/")
  }
}

extension Criteria.Scalar {
  /// Creates the scalar of a value that is single on its own; nil if the value has to be encoded.
  ///
  /// In a call with a type that the compiler knows, all but one of the tests disappear. In other
  /// calls, comparing types costs a fraction of a cast that fails.
  @inline(__always)
  init?<Value>(coded value: Value) {
    if Value.self == String.self, let value = value as? String {
      self = .text(value)
    } else if Value.self == Int.self, let value = value as? Int {
      self = .integer(Int64(value))
    } else if Value.self == UUID.self, let value = value as? UUID {
      self = .uuid(value)
    } else if Value.self == Double.self, let value = value as? Double {
      self = .real(value)
    } else if Value.self == Date.self, let value = value as? Date {
      self = .date(value)
    } else if Value.self == Bool.self, let value = value as? Bool {
      self = .bool(value)
    } else if Value.self == URL.self, let value = value as? URL {
      self = .url(value)
    } else if Value.self == Data.self, let value = value as? Data {
      self = .data(value)
    } else if Value.self == Decimal.self, let value = value as? Decimal {
      self = .decimal(value)
    } else if Self.isRareInteger(Value.self), let value = value as? any CriteriaValue {
      self = value.criteriaValue
    } else if Value.self == Float.self, let value = value as? Float {
      self = .real(Double(value))
    } else {
      return nil
    }
  }

  @inline(__always)
  private static func isRareInteger<Value>(_ type: Value.Type) -> Bool {
    type == Int64.self || type == Int32.self || type == UInt64.self || type == UInt32.self
      || type == Int16.self || type == UInt16.self || type == Int8.self || type == UInt8.self
      || type == UInt.self
  }
}
