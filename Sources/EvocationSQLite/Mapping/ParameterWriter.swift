internal import CEvocationSQLite
internal import Foundation

/// Binds typed values to the parameters of a statement, compares them with a row, or writes JSON.
///
/// It copies text and bytes into a buffer that lasts until the statement has run, because SQLite
/// would allocate memory for each of them. SQLite copies values that do not fit, and the next run
/// has a larger buffer.
struct ParameterWriter {
  private static let largest = 1 << 20

  var handle: OpaquePointer?

  /// The row to compare values with; nil while values are bound.
  var comparison: RowComparison?

  /// Writes the values as JSON; nil while values are bound or compared.
  var json: RowJSON?

  /// The parameter of the present row's first column.
  private var first: Int32 = 1

  /// The whole number that was written last.
  private(set) var lastInteger: Int64?
  private(set) var failure: Int32 = SQLITE_OK
  private var buffer: UnsafeMutableRawBufferPointer
  private var used = 0
  private var wanted = 0

  init() {
    buffer = .allocate(byteCount: 1024, alignment: 1)
  }

  func free() {
    buffer.deallocate()
  }

  /// Begins a statement, and clears the values of the last run.
  mutating func begin() {
    sqlite3_clear_bindings(handle)
    if wanted > buffer.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: min(wanted * 2, Self.largest), alignment: 1)
    }
    (first, used, wanted, failure) = (1, 0, 0, SQLITE_OK)
  }

  /// Moves to the parameters of the next row of the same statement.
  mutating func beginRow(_ row: Int, of columnCount: Int) {
    first = Int32(truncatingIfNeeded: row * columnCount) + 1
  }

  @inline(__always)
  mutating func null(_ column: Int32) {
    if let comparison { return comparison.null(column) }
    if let json { return json.null(column) }
    sqlite3_bind_null(handle, column + first)
  }

  /// Binds null.
  ///
  /// JSON omits the value.
  @inline(__always)
  mutating func leaveOut(_ column: Int32) {
    if json == nil { null(column) }
  }

  @inline(__always)
  mutating func bool(_ value: Bool, _ column: Int32) {
    if let comparison { return comparison.integer(value ? 1 : 0, column) }
    if let json { return json.bool(value, column) }
    sqlite3_bind_int64(handle, column + first, value ? 1 : 0)
  }

  @inline(__always)
  mutating func integer<Number: FixedWidthInteger>(_ value: Number, _ column: Int32) {
    if let small = Int64(exactly: value) {
      lastInteger = small
      if let comparison { return comparison.integer(small, column) }
      if let json { return json.integer(small, column) }
      sqlite3_bind_int64(handle, column + first, small)
    } else if let json {
      json.integer(value, column)
    } else {
      blob(StoredForm.bytes(UInt64(truncatingIfNeeded: value)), column)
    }
  }

  @inline(__always)
  mutating func double(_ value: Double, _ column: Int32) {
    if let json {
      json.double(value, column)
    } else if value.isNaN {
      blob(StoredForm.notANumber, column)
    } else if let comparison {
      comparison.double(value, column)
    } else {
      sqlite3_bind_double(handle, column + first, value)
    }
  }

  mutating func text(_ value: String, _ column: Int32) {
    if let json { return json.text(value, column) }
    var value = value
    value.withUTF8 { text(UnsafeRawBufferPointer($0), column) }
  }

  private mutating func text(_ bytes: UnsafeRawBufferPointer, _ column: Int32) {
    if let comparison { return comparison.text(bytes, column) }
    let kept = keep(bytes)
    note(
      sqlite3_bind_text64(
        handle, column + first,
        (kept?.baseAddress ?? bytes.baseAddress ?? UnsafeRawPointer(buffer.baseAddress))?
          .assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), kept == nil ? Statement.copies : nil, UInt8(SQLITE_UTF8)))
  }

  private mutating func blob(_ bytes: some ContiguousBytes, _ column: Int32) {
    bytes.withUnsafeBytes { bytes in
      if let comparison { return comparison.blob(bytes, column) }
      let kept = keep(bytes)
      note(
        sqlite3_bind_blob64(
          handle, column + first,
          kept?.baseAddress ?? bytes.baseAddress ?? UnsafeRawPointer(buffer.baseAddress),
          UInt64(bytes.count), kept == nil ? Statement.copies : nil))
    }
  }

  mutating func uuid(_ value: UUID, _ column: Int32) {
    if let json { return json.text(value.uuidString, column) }
    withUnsafeBytes(of: value.uuid) { blob($0, column) }
  }

  mutating func data(_ value: Data, _ column: Int32) {
    if let json { return json.text(value.base64EncodedString(), column) }
    blob(value, column)
  }

  mutating func decimal(_ value: Decimal, _ column: Int32) {
    if let json { return json.decimal(value, column) }
    text(value.description, column)
  }

  /// Binds JSON text, and null for JSON's `null`.
  mutating func json(_ data: Data, _ column: Int32) {
    if let json { return json.json(data, column) }
    if data.elementsEqual("null".utf8) { return null(column) }
    data.withUnsafeBytes { text($0, column) }
  }

  /// Copies bytes into the buffer, which stays until the statement has run; nil if there is no
  /// room.
  private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    wanted += bytes.count
    guard buffer.count - used >= bytes.count else { return nil }
    let place = UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + bytes.count])
    place.copyMemory(from: bytes)
    used += bytes.count
    return UnsafeRawBufferPointer(place)
  }

  private mutating func note(_ code: Int32) {
    if code != SQLITE_OK, failure == SQLITE_OK { failure = code }
  }
}
