internal import Evocation
public import Foundation

/// Writes the parameters of one row for a mapping by hand, with one function for each kind.
///
/// It skips a column that the statement does not have, for example if the statement finds a row by
/// its key.
@usableFromInline struct RowParameters {
  unowned(unsafe) let encoder: RowEncoder  // it lasts longer than a row, as the mapped do
  unowned(unsafe) let mapped: MappedColumns
  let writer: UnsafeMutablePointer<ParameterWriter>

  init(_ encoder: RowEncoder, _ mapped: MappedColumns) {
    self.encoder = encoder
    self.mapped = mapped
    writer = encoder.writer
  }

  @usableFromInline
  func slot(named name: String) -> ColumnSlot { mapped.slot(named: name) }

  @usableFromInline
  func null(_ slot: ColumnSlot) throws {
    if try begins(slot) { writer.pointee.null(slot.position) }
  }

  @usableFromInline
  func int(_ value: Int, _ slot: ColumnSlot) throws {
    try write(value, slot, .integer) { $0.integer($1, $2) }
  }

  @usableFromInline
  func integer(_ value: Int64, _ slot: ColumnSlot) throws {
    try write(value, slot, .integer) { $0.integer($1, $2) }
  }

  @usableFromInline
  func bool(_ value: Bool, _ slot: ColumnSlot) throws {
    try write(value, slot, .bool) { $0.bool($1, $2) }
  }

  @usableFromInline
  func real(_ value: Double, _ slot: ColumnSlot) throws {
    try write(value, slot, .real) { $0.double($1, $2) }
  }

  @usableFromInline
  func text(_ value: String, _ slot: ColumnSlot) throws {
    try write(value, slot, .text) { $0.text($1, $2) }
  }

  @usableFromInline
  func date(_ value: Date, _ slot: ColumnSlot) throws {
    try write(value, slot, .date) { $0.double($1.timeIntervalSinceReferenceDate, $2) }
  }

  @usableFromInline
  func uuid(_ value: UUID, _ slot: ColumnSlot) throws {
    try write(value, slot, .uuid) { $0.uuid($1, $2) }
  }

  /// Writes a value of any other type as `Codable` does.
  @usableFromInline
  func other<Value: Codable>(_ value: Value, _ slot: ColumnSlot) throws {
    guard try begins(slot) else { return }
    try encode(value, slot)
  }

  @inline(__always)
  private func write<Value: Codable>(
    _ value: Value, _ slot: ColumnSlot, _ kind: ScalarKind,
    _ write: (inout ParameterWriter, Value, Int32) -> Void
  ) throws {
    guard try begins(slot) else { return }
    if slot.holds(kind) {
      write(&writer.pointee, value, slot.position)
    } else {
      try encode(value, slot)
    }
  }

  private func encode<Value: Codable>(_ value: Value, _ slot: ColumnSlot) throws {
    try mapped.check(slot, Value.self, isWriting: true)
    try ParameterEncoder(row: encoder, slot: slot).write(value)
  }

  /// Marks the column as written, and returns whether the statement has it.
  @inline(__always)
  private func begins(_ slot: ColumnSlot) throws -> Bool {
    if slot.isElsewhere { return false }
    if slot.isUnknown { throw mapped.unknownKey }
    if !mapped.mark(slot) { throw mapped.twice(slot) }
    return true
  }
}
