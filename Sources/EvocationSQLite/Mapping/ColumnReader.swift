internal import Foundation

#if canImport(SQLite3)
  internal import SQLite3
#else
  internal import CEvocationSQLite
#endif

/// Reads typed values from the present row; nil where a column holds something else.
///
/// Without a statement every column reads as null, which SQLite takes care of.
struct ColumnReader {
  var handle: OpaquePointer?

  @inline(__always)
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  @inline(__always)
  func integer<Number: FixedWidthInteger>(_ column: Int32) -> Number? {
    if sqlite3_column_type(handle, column) == SQLITE_INTEGER {
      return Number(exactly: sqlite3_column_int64(handle, column))
    }
    return large(column)
  }

  @inline(never)
  private func large<Number: FixedWidthInteger>(_ column: Int32) -> Number? {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    return StoredForm.unsigned(bytes(column)).flatMap { Number(exactly: $0) }
  }

  @inline(__always)
  func bool(_ column: Int32) -> Bool? {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(handle, column) != 0
  }

  @inline(__always)
  func double(_ column: Int32) -> Double? {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(handle, column)
    case SQLITE_BLOB: .nan
    default: nil
    }
  }

  @inline(__always)
  func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT else { return nil }
    return String(decoding: utf8(column), as: UTF8.self)
  }

  func date(_ column: Int32) -> Date? {
    double(column).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  func uuid(_ column: Int32) -> UUID? {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    let bytes = bytes(column)
    guard bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  func data(_ column: Int32) -> Data? {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    return Data(bytes(column))
  }

  func url(_ column: Int32) -> URL? {
    text(column).flatMap { URL(string: $0) }
  }

  func decimal(_ column: Int32) -> Decimal? {
    text(column).flatMap { $0 == "NaN" ? .nan : Decimal(string: $0) }
  }

  /// The JSON of a column; null where there is none, as JSON says it.
  func json(_ column: Int32) -> Data {
    isNull(column) ? Data("null".utf8) : Data(utf8(column))
  }

  private func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
