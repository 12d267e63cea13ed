public import Foundation

extension Criteria {
  /// A value to compare a key with, with one case for each kind that repositories distinguish.
  public enum Scalar: Sendable, PlainlyPrinted {
    /// No value.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number in the range of `Int64`.
    case integer(Int64)
    /// A whole number above the range of `Int64`.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// An exact decimal number.
    case decimal(Decimal)
    /// Text; compared by its UTF-8 bytes.
    case text(String)
    /// A point in time.
    case date(Date)
    /// A UUID; compared by its bytes.
    case uuid(UUID)
    /// Data, compared byte by byte.
    case data(Data)
    /// A URL; compared as its absolute text.
    case url(URL)

    /// The value as the plainest type that can hold it; nil for null.
    public var canonical: (any CriteriaValue)? {
      switch self {
      case .null: nil
      case .bool(let value): value
      case .integer(let value): Int(exactly: value) ?? value
      case .unsigned(let value): value
      case .real(let value): value
      case .decimal(let value): value
      case .text(let value): value
      case .date(let value): value
      case .uuid(let value): value
      case .data(let value): value
      case .url(let value): value
      }
    }
  }
}
