import Foundation

/// The kinds of single values that repositories distinguish.
///
/// A new kind is a case here and one of ``Criteria/Scalar``. The compiler then demands its rows
/// below, its order (``ScalarOrder``), the values that may be compared with it
/// (`Criteria.Scalar+Coercion`) and its form in SQL (`ScalarKind+SQL`). `CriteriaValue` and
/// `SchemaLeaf` map Swift types to the kind.
package enum ScalarKind: UInt32, Sendable, Hashable, CaseIterable {
  case bool
  /// A whole number in the range of `Int64`.
  case integer
  /// A whole number that may be above the range of `Int64`.
  case unsigned
  case real, decimal, text, uuid, url, date, data

  /// The name under which JSON holds a value of a kind that JSON does not have, and files a column's.
  package var name: String {
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

  /// Reads the format of ``Criteria/Scalar/exactText``; nil if the text is no value of this kind.
  func scalar(_ text: String) -> Criteria.Scalar? {
    switch self {
    case .bool: Bool(text).map { .bool($0) }
    case .integer: Int64(text).map { .integer($0) }
    case .unsigned: UInt64(text).map { .unsigned($0) }
    case .real: Double(text).map { .real($0) }
    case .decimal:
      // Foundation does not parse the text of a decimal NaN.
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
  /// The value's kind; nil for null, which may occur in place of any kind.
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

  /// Returns the value in its JSON form, in which values nested in others are compared.
  ///
  /// Booleans are 0 and 1, and dates are the seconds since the reference date. UUIDs, URLs and data
  /// (in base64) are text. Decimals, and whole numbers above the range of `Int64`, are the nearest
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

  /// The value as JSON of no known kind has it, in which numbers that are not finite are text.
  package var inJSON: Self {
    switch self {
    case .real(let value) where !value.isFinite: return .text(value.isNaN ? "nan" : "\(value)")
    case .unsigned, .decimal:
      // A whole number is one whatever the type was that wrote it.
      return Int64(exactText).map { .integer($0) } ?? .nestedForm(self)
    case .null, .bool, .integer, .real, .text, .date, .uuid, .url, .data: return .nestedForm(self)
    }
  }

  /// The value as text as JSON has it, in which a whole number is written without a fraction.
  package var plainText: String {
    let text = text
    guard case .real = self, text.hasSuffix(".0") else { return text }
    return String(text.dropLast(2))
  }

  /// The value as text, for sentences.
  var text: String {
    if case .date(let value) = self { value.formatted(.iso8601) } else { exactText }
  }
}

extension Decimal {
  /// The nearest `Double`, read from the digits, because Foundation's conversion multiplies and
  /// rounds.
  var nearest: Double {
    Double(description) ?? .nan
  }
}
