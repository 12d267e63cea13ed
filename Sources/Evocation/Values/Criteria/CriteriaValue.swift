public import Foundation

/// A value that criteria can compare with.
///
/// An enum with raw values conforms with one line: `extension Color: CriteriaValue {}`.
///
/// ```swift
/// enum Fuel: String, Codable, CriteriaValue {
///   case petrol, diesel
/// }
/// ```
public protocol CriteriaValue: Sendable {
  /// The value as repositories compare it.
  var criteriaValue: Criteria.Scalar { get }
}

extension CriteriaValue where Self: RawRepresentable, RawValue: CriteriaValue {
  /// The raw value.
  public var criteriaValue: Criteria.Scalar { rawValue.criteriaValue }
}

extension CriteriaValue where Self: BinaryInteger {
  /// The number, whatever its width.
  public var criteriaValue: Criteria.Scalar {
    if let value = Int64(exactly: self) { return .integer(value) }
    if let value = UInt64(exactly: self) { return .unsigned(value) }
    return .real(Double(self))
  }
}

extension Int: CriteriaValue {}
extension Int8: CriteriaValue {}
extension Int16: CriteriaValue {}
extension Int32: CriteriaValue {}
extension Int64: CriteriaValue {}
extension UInt: CriteriaValue {}
extension UInt8: CriteriaValue {}
extension UInt16: CriteriaValue {}
extension UInt32: CriteriaValue {}
extension UInt64: CriteriaValue {}

extension Bool: CriteriaValue {
  /// True or false.
  public var criteriaValue: Criteria.Scalar { .bool(self) }
}

extension Double: CriteriaValue {
  /// The number.
  public var criteriaValue: Criteria.Scalar { .real(self) }
}

extension Float: CriteriaValue {
  /// The number, widened.
  public var criteriaValue: Criteria.Scalar { .real(Double(self)) }
}

extension Decimal: CriteriaValue {
  /// The number.
  public var criteriaValue: Criteria.Scalar { .decimal(self) }
}

extension String: CriteriaValue {
  /// The text.
  public var criteriaValue: Criteria.Scalar { .text(self) }
}

extension Substring: CriteriaValue {
  /// The text.
  public var criteriaValue: Criteria.Scalar { .text(String(self)) }
}

extension Date: CriteriaValue {
  /// The point in time.
  public var criteriaValue: Criteria.Scalar { .date(self) }
}

extension UUID: CriteriaValue {
  /// The UUID.
  public var criteriaValue: Criteria.Scalar { .uuid(self) }
}

extension Data: CriteriaValue {
  /// The bytes.
  public var criteriaValue: Criteria.Scalar { .data(self) }
}

extension URL: CriteriaValue {
  /// The URL.
  public var criteriaValue: Criteria.Scalar { .url(self) }
}

extension Criteria.Scalar: CriteriaValue {
  /// The value itself, which is a scalar already.
  public var criteriaValue: Criteria.Scalar { self }
}
