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
