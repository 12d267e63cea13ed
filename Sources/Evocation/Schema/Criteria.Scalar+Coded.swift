import Foundation

extension Criteria.Scalar {
  /// Makes the scalar of a value that is one by itself, or nil when the value has to be coded.
  ///
  /// In a call with a type known to the compiler all but one of the tests disappear; in others
  /// comparing types costs a fraction of a cast that fails.
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
