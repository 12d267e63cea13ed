import Foundation

extension Criteria.Scalar {
  /// Hashes the value so that those which ``ScalarOrder`` calls the same have one hash.
  func hashByOrder(into hasher: inout Hasher) {
    switch self {
    case .text(let value): hasher.combine(utf8: value)
    case .integer(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(utf8: value.uuidString)
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value ? Int64(1) : 0)
    case .unsigned(let value): hasher.combine(whole: value)
    case .real(let value): hasher.combine(number: value)
    case .decimal(let value):
      if let whole = UInt64(value.description) {
        hasher.combine(whole: whole)
      } else if let whole = Int64(value.description) {
        hasher.combine(whole)
      } else {
        hasher.combine(number: value.nearest)
      }
    case .date(let value): hasher.combine(number: value.timeIntervalSinceReferenceDate)
    case .data(let value): hasher.combine(utf8: value.base64EncodedString())
    case .url(let value): hasher.combine(utf8: value.absoluteString)
    }
  }

  /// The value as text, for sentences.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .text(let value): value
    case .date(let value): value.formatted(.iso8601)
    case .uuid(let value): value.uuidString
    case .data(let value): value.base64EncodedString()
    case .url(let value): value.absoluteString
    }
  }
}

extension Hasher {
  fileprivate mutating func combine(whole: UInt64) {
    combine(Int64(truncatingIfNeeded: whole))
  }

  /// Whole numbers hash alike whichever type holds them, and there is one NaN.
  fileprivate mutating func combine(number: Double) {
    if let whole = Int64(exactly: number) {
      combine(whole)
    } else if let whole = UInt64(exactly: number) {
      combine(whole: whole)
    } else {
      combine(number.isNaN ? .nan : number)
    }
  }
}
