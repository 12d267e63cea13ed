import Foundation

extension Criteria.Scalar {
  /// Creates the scalar of a value that is single on its own; nil if the value has to be encoded.
  ///
  /// In a call with a type that the compiler knows, all but one of the tests disappear. In other
  /// calls, comparing types costs a fraction of a cast ("store").
  @inline(__always)
  init?<Value>(coded value: Value) {
    let type = Value.self
    if type == String.self {
      self = .text(Self.same(value))
    } else if type == Int.self {
      self = .integer(Int64(Self.same(value) as Int))
    } else if type == Int64.self {
      self = .integer(Self.same(value))
    } else if type == UUID.self {
      self = .uuid(Self.same(value))
    } else if type == Double.self {
      self = .real(Self.same(value))
    } else if type == Date.self {
      self = .date(Self.same(value))
    } else if type == Bool.self {
      self = .bool(Self.same(value))
    } else if type == URL.self {
      self = .url(Self.same(value))
    } else if type == Data.self {
      self = .data(Self.same(value))
    } else if type == Decimal.self {
      self = .decimal(Self.same(value))
    } else if Self.isRareInteger(type), let value = value as? any CriteriaValue {
      self = value.criteriaValue
    } else if type == Float.self {
      self = .real(Double(Self.same(value) as Float))
    } else {
      return nil
    }
  }

  /// Returns a value as the type that it already has.
  @inline(__always)
  private static func same<Value, Known>(_ value: Value) -> Known {
    unsafeBitCast(value, to: Known.self)
  }

  @inline(__always)
  private static func isRareInteger<Value>(_ type: Value.Type) -> Bool {
    type == Int32.self || type == UInt64.self || type == UInt32.self || type == Int16.self
      || type == UInt16.self || type == Int8.self || type == UInt8.self || type == UInt.self
  }
}
