internal import CEvocationSQLite
internal import Evocation
internal import Foundation

/// Binds values to the parameters of a statement.
///
/// It copies text and UUIDs into a buffer that lasts until the statement has run. SQLite would
/// allocate memory for each of them, which takes a tenth of "store", and does so for what does not
/// fit.
final class ParameterSink: ValueSink {
  /// The first result code that is a failure.
  private(set) var failure: Int32 = SQLITE_OK

  private var statement: Statement?
  // Nothing here calls back, and checking each access takes a tenth of "store".
  /// The parameter of the present row's first column.
  @exclusivity(unchecked) private var first: Int32 = 1
  @exclusivity(unchecked) private var used = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)

  deinit {
    buffer.deallocate()
  }

  /// Begins a statement, and clears the values of its last run.
  func begin(_ statement: Statement) {
    sqlite3_clear_bindings(statement.handle)
    (self.statement, first, used, failure) = (statement, 1, 0, SQLITE_OK)
  }

  /// Moves to the parameters of the next row of the same statement.
  func beginRow(_ row: Int, of columnCount: Int) {
    first = Int32(truncatingIfNeeded: row * columnCount) + 1
  }

  /// Ends the statement, which keeps this sink.
  func end() {
    statement = nil
  }

  func put(_ value: Criteria.Scalar, _ place: Int32) {
    guard let statement else { return }
    let index = place + first
    let code: Int32
    switch value {
    case .text(var text):
      code = text.withUTF8 { bytes in
        guard let kept = keep(UnsafeRawBufferPointer(bytes)) else {
          return statement.bind(text: UnsafeRawBufferPointer(bytes), at: index)
        }
        return sqlite3_bind_text64(
          statement.handle, index, kept.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
          nil, UInt8(SQLITE_UTF8))
      }
    case .uuid(let uuid):
      code = withUnsafeBytes(of: uuid.uuid) { bytes in
        guard let kept = keep(bytes) else { return statement.bind(SQLValue(value), at: index) }
        return sqlite3_bind_blob64(statement.handle, index, kept, UInt64(bytes.count), nil)
      }
    default: code = statement.bind(SQLValue(value), at: index)
    }
    if code != SQLITE_OK, failure == SQLITE_OK { failure = code }
  }

  /// Copies bytes into the buffer; nil if there is no room.
  private func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard buffer.count - used >= bytes.count, let start = buffer.baseAddress else { return nil }
    let place = start + used
    if let first = bytes.baseAddress { place.copyMemory(from: first, byteCount: bytes.count) }
    used += bytes.count
    return UnsafeRawPointer(place)
  }
}
