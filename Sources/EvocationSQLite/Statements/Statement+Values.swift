internal import CEvocationSQLite
internal import Foundation

extension Statement {
  /// Makes SQLite copy its arguments, because they are released before the statement runs.
  static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Binds a value to a parameter, counted from one.
  @discardableResult
  func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let value): sqlite3_bind_int64(handle, index, value)
    case .real(let value): sqlite3_bind_double(handle, index, value)
    case .text(var value): value.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: index) }
    case .blob(let bytes): bind(blob: bytes, at: index)
    case .textBytes(let bytes): bytes.withUnsafeBytes { bind(text: $0, at: index) }
    }
  }

  /// Binds values to the first parameters, and returns the first result code that is a failure.
  func bind(_ values: [SQLValue]) -> Int32 {
    var index: Int32 = 0
    for value in values {
      index += 1
      let code = bind(value, at: index)
      if code != SQLITE_OK { return code }
    }
    return SQLITE_OK
  }

  /// Binds a whole number to a parameter, counted from one.
  func bind(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(handle, index, value)
  }

  /// Reads a column of the present row as a whole number.
  func integer(at index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  /// Binds bytes of UTF-8 as text to a parameter, counted from one.
  func bind(text bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    bytes.withMemoryRebound(to: CChar.self) { characters in
      sqlite3_bind_text64(
        handle, index, characters.baseAddress ?? Self.nothing, UInt64(bytes.count), Self.copies,
        UInt8(SQLITE_UTF8)
      )
    }
  }

  private func bind(blob: [UInt8], at index: Int32) -> Int32 {
    blob.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_zeroblob(handle, index, 0)
      }
      return sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), Self.copies)
    }
  }

  /// The address of empty text.
  ///
  /// SQLite treats a missing address as null.
  static var nothing: UnsafePointer<CChar>? {
    UnsafePointer(bitPattern: MemoryLayout<CChar>.alignment)
  }

  /// Reads a column of the present row, counted from zero.
  func value(at index: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT: .text(String(decoding: textBytes(at: index), as: UTF8.self))
    case SQLITE_BLOB: .blob([UInt8](blobBytes(at: index)))
    default: .null
    }
  }

  /// Returns a text in the present row; nil for any other value.
  func text(at index: Int32) -> String? {
    if case .text(let text) = value(at: index) { text } else { nil }
  }

  /// Returns the bytes of a text or blob in the present row, and which it is; nil for other values.
  func data(at index: Int32) -> (bytes: Data, isText: Bool)? {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_TEXT: (Data(textBytes(at: index)), true)
    case SQLITE_BLOB: (Data(blobBytes(at: index)), false)
    default: nil
    }
  }

  /// Returns the bytes of a text in the present row, valid until the next step.
  func textBytes(at index: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, index)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }

  /// Returns the bytes of a blob in the present row, valid until the next step.
  func blobBytes(at index: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, index)
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, index))
    )
  }
}
