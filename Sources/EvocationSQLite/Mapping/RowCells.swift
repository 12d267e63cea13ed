internal import Evocation
public import Foundation

/// Reads the cells of the present row for a mapping by hand, with one function for each kind.
///
/// It does not retain the statement's objects, because it lasts no longer than a row.
@usableFromInline struct RowCells {
  unowned(unsafe) let decoder: RowDecoder
  unowned(unsafe) let mapped: MappedColumns
  let reader: UnsafeMutablePointer<ColumnReader>

  init(_ decoder: RowDecoder, _ mapped: MappedColumns) {
    self.decoder = decoder
    self.mapped = mapped
    reader = decoder.reader
  }

  @usableFromInline
  func slot(named name: String) -> ColumnSlot { mapped.slot(named: name) }

  @usableFromInline
  func isNull(_ slot: ColumnSlot) throws -> Bool {
    if slot.isUnknown { throw mapped.unknownKey }
    return reader.pointee.isNull(slot.position)
  }

  @usableFromInline
  func integer(_ slot: ColumnSlot) throws -> Int64 {
    try cell(slot, .integer) { $0.integer($1) }
  }

  @usableFromInline
  func int(_ slot: ColumnSlot) throws -> Int {
    try cell(slot, .integer) { $0.integer($1) }
  }

  @usableFromInline
  func bool(_ slot: ColumnSlot) throws -> Bool {
    try cell(slot, .bool) { $0.bool($1) }
  }

  @usableFromInline
  func real(_ slot: ColumnSlot) throws -> Double {
    try cell(slot, .real) { $0.double($1) }
  }

  @usableFromInline
  func text(_ slot: ColumnSlot) throws -> String {
    try cell(slot, .text) { $0.text($1) }
  }

  @usableFromInline
  func date(_ slot: ColumnSlot) throws -> Date {
    try cell(slot, .date) { $0.date($1) }
  }

  @usableFromInline
  func uuid(_ slot: ColumnSlot) throws -> UUID {
    try cell(slot, .uuid) { $0.uuid($1) }
  }

  /// Reads a value of any other type as `Codable` does.
  @usableFromInline
  func other<Value: Decodable>(_ slot: ColumnSlot, _ type: Value.Type) throws -> Value {
    try mapped.check(slot, type, isWriting: false)
    return try ColumnDecoder(row: decoder, slot: slot).value(type)
  }

  @inline(__always)
  private func cell<Value: Decodable>(
    _ slot: ColumnSlot, _ kind: ScalarKind, _ read: (ColumnReader, Int32) -> Value?
  ) throws -> Value {
    if slot.holds(kind), let value = read(reader.pointee, slot.position) { return value }
    return try other(slot, Value.self)
  }
}
