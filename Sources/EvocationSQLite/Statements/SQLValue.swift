internal import Evocation
internal import Foundation

/// A value as SQLite stores it.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Bytes that are compared as text, even if they are not UTF-8: the end of a range.
  case textBytes([UInt8])

  /// The value as the plainest scalar, without knowledge of the column's kind.
  var scalar: Criteria.Scalar {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .blob(let value): .data(Data(value))
    case .textBytes(let value): .text(String(decoding: value, as: UTF8.self))
    }
  }
}
