/// A value as SQLite holds it.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Bytes that are compared as text, whether they are UTF-8 or not: the end of a range.
  case textBytes([UInt8])
}
