import Foundation

extension Criteria.Scalar {
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
    case .uuid(let value): .text(value.uuidString)
    case .data(let value): .text(value.base64EncodedString())
    case .url(let value): .text(value.absoluteString)
    }
  }
}

extension Decimal {
  /// The nearest `Double`, read from the digits, because Foundation's own conversion multiplies.
  var nearest: Double {
    Double(description) ?? .nan
  }
}
