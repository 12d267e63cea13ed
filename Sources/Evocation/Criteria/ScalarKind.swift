import Foundation

/// The kinds of single values that repositories tell apart.
///
/// A new kind is a case here and one of ``Criteria/Scalar``; the compiler then asks for its rows below,
/// for its order (``ScalarOrder``), for what may be compared with it (`Criteria.Scalar+Coercion`) and
/// for its form in SQL (`ScalarKind+SQL`). Which Swift types are of the kind is said beside the others,
/// in `CriteriaValue` and `SchemaLeaf`.
package enum ScalarKind: Sendable, Hashable, CaseIterable {
  case bool
  /// A whole number within the range of `Int64`.
  case integer
  /// A whole number that may be above the range of `Int64`.
  case unsigned
  case real, decimal, text, uuid, url, date, data

  /// Under which name a value stands in JSON that has no such kind of its own.
  var name: String {
    switch self {
    case .bool: "bool"
    case .integer: "integer"
    case .unsigned: "unsigned"
    case .real: "real"
    case .decimal: "decimal"
    case .text: "text"
    case .uuid: "uuid"
    case .url: "url"
    case .date: "date"
    case .data: "data"
    }
  }

  /// Reads what ``Criteria/Scalar/exactText`` writes; nil when the text is no value of this kind.
  func scalar(_ text: String) -> Criteria.Scalar? {
    switch self {
    case .bool: Bool(text).map { .bool($0) }
    case .integer: Int64(text).map { .integer($0) }
    case .unsigned: UInt64(text).map { .unsigned($0) }
    case .real: Double(text).map { .real($0) }
    case .decimal:
      // Foundation reads no decimal that is not a number.
      text == Decimal.nan.description ? .decimal(.nan) : Decimal(string: text).map { .decimal($0) }
    case .text: .text(text)
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .url: URL(string: text).map { .url($0) }
    case .date: Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .data: Data(base64Encoded: text).map { .data($0) }
    }
  }
}

extension ScalarKind: CustomStringConvertible {
  /// The kind with its article, for sentences.
  package var description: String {
    switch self {
    case .bool: "a Boolean"
    case .integer, .unsigned: "a whole number"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .text: "text"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .date: "a date"
    case .data: "data"
    }
  }
}

extension Criteria.Scalar {
  /// The value's kind; nil for null, which may stand where any kind does.
  package var kind: ScalarKind? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .integer: .integer
    case .unsigned: .unsigned
    case .real: .real
    case .decimal: .decimal
    case .text: .text
    case .uuid: .uuid
    case .url: .url
    case .date: .date
    case .data: .data
    }
  }

  /// The value as text from which its kind reads it again, without any loss.
  package var exactText: String {
    switch self {
    case .null: "null"
    case .bool(let value): value.description
    case .integer(let value): value.description
    case .unsigned(let value): value.description
    case .real(let value): value.description
    case .decimal(let value): value.description
    case .text(let value): value
    case .uuid(let value): value.uuidString
    case .url(let value): value.absoluteString
    case .date(let value): value.timeIntervalSinceReferenceDate.description
    case .data(let value): value.base64EncodedString()
    }
  }

  /// Gives the value as JSON has it, which is how values compare that are nested in others.
  ///
  /// Booleans are 0 and 1, dates the seconds since the reference date, UUIDs, URLs and data (in
  /// base64) are text; decimals, and whole numbers above the range of `Int64`, are the nearest
  /// `Double`.
  package static func nestedForm(_ scalar: Self) -> Self {
    switch scalar {
    case .null, .integer, .real, .text: scalar
    case .bool(let value): .integer(value ? 1 : 0)
    case .unsigned(let value): .real(Double(value))
    case .decimal(let value): .real(value.nearest)
    case .date(let value): .real(value.timeIntervalSinceReferenceDate)
    case .uuid, .url, .data: .text(scalar.exactText)
    }
  }

  /// The value as text, for sentences.
  var text: String {
    if case .date(let value) = self { value.formatted(.iso8601) } else { exactText }
  }
}

extension Decimal {
  /// The nearest `Double`, read from the digits, because Foundation's own conversion multiplies.
  var nearest: Double {
    Double(description) ?? .nan
  }
}
