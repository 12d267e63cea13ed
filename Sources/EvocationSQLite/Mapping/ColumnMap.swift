internal import Evocation

/// Which of a table's columns a statement has, and where.
final class ColumnMap: Sendable {
  let columns: [Column]

  /// For each place in the statement, the column that stands there.
  let positions: [Int]
  private let slots: [String: ColumnSlot]

  /// Makes the map; `positions` says where the statement has the columns that it has.
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

  /// Where the column of this name stands.
  func slot(_ name: String) -> ColumnSlot { slots[name] ?? .unknown }

  /// The column that stands at a place of the statement.
  func column(_ place: Int32) -> Column? {
    positions.indices.contains(Int(place)) ? columns[positions[Int(place)]] : nil
  }
}

/// Which column each coding key of one type belongs to.
///
/// A synthesized key is an enum of one byte, so the byte finds the column without the key's name,
/// which is asked for once. Other keys are looked up by name each time.
final class KeyMap {
  /// The slot for each byte that a key may be.
  let slots: UnsafeMutablePointer<ColumnSlot>  // "find all, Evocation": no bounds, no exclusivity
  private let columns: ColumnMap

  /// Whether there came a key that is no column.
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
