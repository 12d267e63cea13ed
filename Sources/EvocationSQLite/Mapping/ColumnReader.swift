internal import CEvocationSQLite
internal import Foundation

/// Reads typed values from the present row; nil if a column holds another type.
///
/// Without a statement every column reads as null, because SQLite handles that case.
struct ColumnReader {
  var handle: OpaquePointer?

  @inline(__always)
  func isNull(_ column: Int32) -> Bool { sqlite3_value_type(cell(column)) == SQLITE_NULL }

  @inline(__always)
  func integer<Number: FixedWidthInteger>(_ column: Int32) -> Number? {
    let cell = cell(column)
    if sqlite3_value_type(cell) == SQLITE_INTEGER {
      return Number(exactly: sqlite3_value_int64(cell))
    }
    return large(cell)
  }

  @inline(never)
  private func large<Number: FixedWidthInteger>(_ cell: OpaquePointer?) -> Number? {
    guard sqlite3_value_type(cell) == SQLITE_BLOB else { return nil }
    return StoredForm.unsigned(bytes(cell)).flatMap { Number(exactly: $0) }
  }

  @inline(__always)
  func bool(_ column: Int32) -> Bool? {
    let cell = cell(column)
    guard sqlite3_value_type(cell) == SQLITE_INTEGER else { return nil }
    return sqlite3_value_int64(cell) != 0
  }

  @inline(__always)
  func double(_ column: Int32) -> Double? {
    let cell = cell(column)
    return switch sqlite3_value_type(cell) {
    case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_value_double(cell)
    case SQLITE_BLOB: .nan
    default: nil
    }
  }

  @inline(__always)
  func text(_ column: Int32) -> String? {
    let cell = cell(column)
    guard sqlite3_value_type(cell) == SQLITE_TEXT else { return nil }
    return String(decoding: utf8(cell), as: UTF8.self)
  }

  /// Returns the bytes of a blob, valid until the next step.
  @inline(__always)
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    let cell = cell(column)
    return sqlite3_value_type(cell) == SQLITE_BLOB ? bytes(cell) : nil
  }

  /// Returns the JSON of a column; JSON's `null` for an SQL null.
  func json(_ column: Int32) -> Data {
    isNull(column) ? Data("null".utf8) : Data(utf8(cell(column)))
  }

  /// Returns the column's value, looked up once: each of SQLite's column functions would repeat
  /// this.
  ///
  /// No other thread may use the connection in the meantime, and none does.
  @inline(__always)
  private func cell(_ column: Int32) -> OpaquePointer? { sqlite3_column_value(handle, column) }

  @inline(__always)
  private func utf8(_ cell: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(cell)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(cell)))
  }

  private func bytes(_ cell: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(cell)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(cell)))
  }
}
