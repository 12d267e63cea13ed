#if canImport(SQLite3)
  internal import SQLite3
#else
  internal import CEvocationSQLite
#endif

/// What the shared index of the log begins with; every commit, of any process, changes it.
///
/// Its layout is part of SQLite's documented file format: two copies of 48 bytes, of which the
/// second is written first, so that they differ while a commit is writing them.
struct WALIndexHeader: Equatable {
  /// The layout that SQLite has written since there are logs.
  private static let knownVersion: UInt32 = 3_007_000

  /// The size in which SQLite maps the index.
  private static let regionSize: Int32 = 32_768

  private let first: Copy
  private let second: Copy

  private struct Copy: Equatable {
    let head: SIMD4<UInt64>
    let tail: SIMD2<UInt64>

    @inline(__always)
    init(_ start: UnsafeRawPointer) {
      head = start.loadUnaligned(as: SIMD4<UInt64>.self)
      tail = start.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
    }
  }

  /// Reads the header as it stands in shared memory.
  @inline(__always)
  init(at start: UnsafeRawPointer) {
    first = Copy(start)
    second = Copy(start + 48)
  }

  /// Whether it is complete, and of a layout that is known.
  var isSound: Bool {
    first == second && UInt32(truncatingIfNeeded: first.head[0]) == Self.knownVersion
  }

  /// How many pages of commits the log holds.
  var pageCount: UInt32 { UInt32(truncatingIfNeeded: first.head[2]) }

  /// Finds where the connection has the index in memory; valid as long as it reads or writes.
  static func place(of handle: OpaquePointer) -> UnsafeRawPointer? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, regionSize, 0, &region) == SQLITE_OK else { return nil }
    return UnsafeRawPointer(region)
  }
}
