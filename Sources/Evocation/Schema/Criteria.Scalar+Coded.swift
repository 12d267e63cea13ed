import Foundation

extension Criteria.Scalar {
  /// Makes the scalar of a value that is one by itself, or nil when the value has to be coded.
  ///
  /// In a call with a type known to the compiler all but one of the tests disappear.
  @inline(__always)
  init?<Value>(coded value: Value) {
    switch value {
    case let value as String: self = .text(value)
    case let value as Int: self = .integer(Int64(value))
    case let value as Bool: self = .bool(value)
    case let value as Double: self = .real(value)
    case let value as Date: self = .date(value)
    case let value as UUID: self = .uuid(value)
    case let value as URL: self = .url(value)
    case let value as Data: self = .data(value)
    case let value as Decimal: self = .decimal(value)
    default: self.init(rareCoded: value)
    }
  }

  @inline(__always)
  private init?<Value>(rareCoded value: Value) {
    switch value {
    case let value as Int64: self = .integer(value)
    case let value as Float: self = .real(Double(value))
    case let value as Int32: self = .integer(Int64(value))
    case let value as UInt64: self = value.criteriaValue
    case let value as UInt: self = value.criteriaValue
    case let value as UInt32: self = .integer(Int64(value))
    case let value as Int16: self = .integer(Int64(value))
    case let value as UInt16: self = .integer(Int64(value))
    case let value as Int8: self = .integer(Int64(value))
    case let value as UInt8: self = .integer(Int64(value))
    default: return nil
    }
  }
}
