internal import Evocation

/// Writes one row after another for a mapping by hand.
///
/// It skips a column that the statement does not have, for example if the statement finds a row by
/// its key.
final class MappedParameters: MappedColumns {
  private let encoder: ModelEncoder
  @exclusivity(unchecked) private var isWritten: [Bool]  // for "store", by hand

  init<Key: CodingKey & CaseIterable>(_ row: RowEncoder, of type: Key.Type, in plan: TablePlan) {
    encoder = row.model
    isWritten = Array(repeating: false, count: row.layout.names.count)
    super.init(row.layout, of: type, in: plan)
  }

  /// Begins a row without written columns.
  func beginRow() {
    for place in isWritten.indices { isWritten[place] = false }
  }

  /// Throws if a column of the statement was not written.
  func endRow() throws {
    if isWritten.contains(false) { throw incomplete(isWritten) }
  }

  func writeNil(_ slot: PropertySlot) throws {
    if try begins(slot) { encoder.sink.put(.null, slot.place) }
  }

  /// Writes a value as `Codable` does.
  func write<Value: Codable>(_ value: Value, _ slot: PropertySlot) throws {
    guard try begins(slot) else { return }
    try check(slot, Value.self, isWriting: true)
    try encoder.put(value, slot)
  }

  /// Marks the column as written, and returns whether the statement has it.
  private func begins(_ slot: PropertySlot) throws -> Bool {
    guard slot.isThere else {
      if slot.isUnknown { throw unknownKey }
      return false
    }
    if isWritten[Int(slot.place)] { throw twice(slot) }
    isWritten[Int(slot.place)] = true
    return true
  }
}
