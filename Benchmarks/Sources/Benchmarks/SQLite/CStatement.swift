import CSQLite
import Foundation

/// A prepared statement of the C API, with the code that binds an item and reads one.
final class CStatement {
  private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  let handle: OpaquePointer
  private let database: CDatabase

  init(_ sql: String, _ database: CDatabase) throws {
    self.database = database
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    guard sqlite3_prepare_v3(database.handle, sql, -1, flags, &prepared, nil) == SQLITE_OK,
      let prepared
    else { throw WrongAnswer() }
    handle = prepared
  }

  deinit { sqlite3_finalize(handle) }

  @inline(__always)
  func write(_ item: Item) throws {
    sqlite3_bind_int64(handle, 1, item.id)
    bind(item.name, 2)
    sqlite3_bind_double(handle, 3, item.price)
    if let tags = item.tags { bind(tags, 4) } else { sqlite3_bind_null(handle, 4) }
    sqlite3_bind_double(handle, 5, item.updatedAt.timeIntervalSinceReferenceDate)
    try finish()
  }

  @inline(__always)
  func write(_ text: String, _ number: Double) throws {
    bind(text, 1)
    sqlite3_bind_double(handle, 2, number)
    try finish()
  }

  @inline(__always)
  func finish() throws {
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    try expect(code == SQLITE_DONE)
  }

  @inline(__always)
  var item: Item {
    Item(
      id: sqlite3_column_int64(handle, 0), name: text(1), price: sqlite3_column_double(handle, 2),
      tags: sqlite3_column_type(handle, 3) == SQLITE_NULL ? nil : text(3),
      updatedAt: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(handle, 4)))
  }

  @inline(__always)
  private func bind(_ text: String, _ column: Int32) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = sqlite3_bind_text(
          handle, column, characters.baseAddress, Int32(characters.count), Self.copies)
      }
    }
  }

  @inline(__always)
  private func text(_ column: Int32) -> String {
    let start = sqlite3_column_text(handle, column)
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    return String(decoding: bytes, as: UTF8.self)
  }
}
