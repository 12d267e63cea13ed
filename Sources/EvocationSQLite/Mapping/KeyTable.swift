/// Which column each coding key of one `CodingKey` type belongs to.
///
/// A synthesized key is an enum of one byte, so the byte finds the column without the key's name;
/// the name is asked for once. Other keys are looked up by name each time.
final class KeyTable {
  /// No column of this name: what is written is dropped, what is read is absent.
  static let absent: Int32 = -2

  /// Marks a column that holds JSON, whatever is written to or read from it.
  static let jsonFlag: Int32 = 0x4000

  private static let unknown: Int16 = -1

  /// The column and flag for each byte that a key may be.
  let entries: UnsafeMutablePointer<Int16>
  private let columns: ColumnTable

  init(_ columns: ColumnTable) {
    self.columns = columns
    entries = .allocate(capacity: 256)
    entries.initialize(repeating: Self.unknown, count: 256)
  }

  deinit {
    entries.deallocate()
  }

  @inline(__always)
  func entry<Key: CodingKey>(_ key: Key) -> Int32 {
    guard MemoryLayout<Key>.size == 1 else { return columns.entry(key.stringValue) }
    let byte = Int(unsafeBitCast(key, to: UInt8.self))
    let known = entries[byte]
    return known == Self.unknown ? learn(key.stringValue, byte) : Int32(known)
  }

  @inline(never)
  private func learn(_ name: String, _ byte: Int) -> Int32 {
    let entry = columns.entry(name)
    entries[byte] = Int16(truncatingIfNeeded: entry)
    return entry
  }
}

/// Which of a plan's columns a statement has, and where.
final class ColumnTable: Sendable {
  let columns: [Column]

  /// For each place in the statement, the column that stands there.
  let positions: [Int]
  private let entries: [String: Int32]

  /// Makes the table; `positions` says where the statement has the columns that it has.
  init(_ columns: [Column], positions: [Int]) {
    self.columns = columns
    self.positions = positions
    entries = [String: Int32](
      positions.enumerated().map { place, position in
        let column = columns[position]
        let flag = column.storage == .json ? KeyTable.jsonFlag : 0
        return (column.name, Int32(place) | flag)
      }, uniquingKeysWith: { first, _ in first })
  }

  func entry(_ name: String) -> Int32 { entries[name] ?? KeyTable.absent }
}

/// The coding key of a column, for the paths in errors.
struct ColumnKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
