internal import Evocation

/// The columns of a table that a statement has, and their positions in it.
final class ColumnMap: Sendable {
  let columns: [Column]

  /// The table's column for each position in the statement.
  let positions: [Int]
  private let slots: [String: ColumnSlot]

  /// Creates the map.
  ///
  /// `positions` contains the table's columns in the order of the statement.
  init(_ columns: [Column], positions: [Int]) {
    self.columns = columns
    self.positions = positions
    var slots: [String: ColumnSlot] = [:]
    for column in columns { slots[column.name] = .elsewhere }
    for (place, position) in positions.enumerated() {
      slots[columns[position].name] = ColumnSlot(place, columns[position].kind.scalar)
    }
    self.slots = slots
  }

  /// Returns the slot of the column with this name.
  func slot(_ name: String) -> ColumnSlot { slots[name] ?? .unknown }

  /// Returns the column at a position of the statement.
  func column(_ place: Int32) -> Column? {
    positions.indices.contains(Int(place)) ? columns[positions[Int(place)]] : nil
  }
}

/// The column of each coding key of one type.
///
/// A synthesized key is an enum of one byte. The byte finds the column without the key's name,
/// which is needed only once. Other keys are looked up by name each time.
final class KeyMap {
  /// The slot for each possible byte of a key.
  let slots: UnsafeMutablePointer<ColumnSlot>  // "find all, Evocation": no bounds, no exclusivity
  private let columns: ColumnMap

  /// Whether a key without a column was used.
  private(set) var hasUnknown = false

  init(_ columns: ColumnMap) {
    self.columns = columns
    slots = .allocate(capacity: 256)
    slots.initialize(repeating: .unlearned, count: 256)
  }

  deinit {
    slots.deallocate()
  }

  @inline(__always)
  func slot<Key: CodingKey>(_ key: Key) -> ColumnSlot {
    guard MemoryLayout<Key>.size == 1 else { return find(key.stringValue) }
    let byte = Int(unsafeBitCast(key, to: UInt8.self))  // "find all, Evocation": names cost a hash
    let known = slots[byte]
    return known.isUnlearned ? learn(key.stringValue, byte) : known
  }

  @inline(never)
  private func learn(_ name: String, _ byte: Int) -> ColumnSlot {
    let slot = find(name)
    slots[byte] = slot
    return slot
  }

  private func find(_ name: String) -> ColumnSlot {
    let slot = columns.slot(name)
    if slot.isUnknown { hasUnknown = true }
    return slot
  }
}
