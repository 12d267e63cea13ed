internal import CEvocationSQLite
internal import Evocation
internal import Foundation

/// Reads typed values from the present row of a statement.
final class RowSource: ValueSource {
  /// The statement while it runs.
  ///
  /// Without one, SQLite reads every column as null.
  @exclusivity(unchecked) var handle: OpaquePointer?  // "find all": nothing here calls back

  func isNull(_ place: Int32) -> Bool { sqlite3_value_type(cell(place)) == SQLITE_NULL }

  func bool(_ place: Int32) -> Bool? { integer(place).map { $0 != 0 } }

  @inline(__always)
  func integer(_ place: Int32) -> Int64? {
    let cell = cell(place)
    return sqlite3_value_type(cell) == SQLITE_INTEGER ? sqlite3_value_int64(cell) : nil
  }

  func unsigned(_ place: Int32) -> UInt64? { blob(place).flatMap(StoredForm.unsigned) }

  @inline(__always)
  func real(_ place: Int32) -> Double? {
    let cell = cell(place)
    return switch sqlite3_value_type(cell) {
    case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_value_double(cell)
    case SQLITE_BLOB: .nan
    default: nil
    }
  }

  @inline(__always)
  func text(_ place: Int32) -> String? {
    let cell = cell(place)
    guard sqlite3_value_type(cell) == SQLITE_TEXT else { return nil }
    return String(decoding: utf8(cell), as: UTF8.self)
  }

  func uuid(_ place: Int32) -> UUID? {
    guard let bytes = blob(place), bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  func data(_ place: Int32) -> Data? { blob(place).map { Data($0) } }

  func json(_ place: Int32) -> Data {
    isNull(place) ? Data("null".utf8) : Data(utf8(cell(place)))
  }

  /// Returns the bytes of a blob, valid until the next step.
  private func blob(_ place: Int32) -> UnsafeRawBufferPointer? {
    let cell = cell(place)
    guard sqlite3_value_type(cell) == SQLITE_BLOB else { return nil }
    let start = sqlite3_value_blob(cell)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(cell)))
  }

  /// Returns the column's value, looked up once: each of SQLite's column functions would repeat
  /// this.
  ///
  /// No other thread may use the connection in the meantime, and none does.
  @inline(__always)
  private func cell(_ place: Int32) -> OpaquePointer? { sqlite3_column_value(handle, place) }

  @inline(__always)
  private func utf8(_ cell: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(cell)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(cell)))
  }
}
