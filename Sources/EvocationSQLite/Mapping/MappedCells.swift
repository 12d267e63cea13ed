public import Evocation
public import Foundation

/// Reads the columns of the present row for a mapping by hand, with one function for each kind.
@usableFromInline final class MappedCells: MappedColumns {
  private let source: RowSource
  private let decoder: ModelDecoder

  init<Key: CodingKey & CaseIterable>(_ row: RowDecoder, of type: Key.Type, in plan: TablePlan) {
    source = row.source
    decoder = row.model
    super.init(row.layout, of: type, in: plan)
  }

  @usableFromInline
  func isNull(_ slot: PropertySlot) throws -> Bool {
    if slot.isUnknown { throw unknownKey }
    return source.isNull(slot.place)
  }

  @usableFromInline
  func integer(_ slot: PropertySlot) throws -> Int64 {
    try cell(slot, .integer) { $0.integer($1) }
  }

  @usableFromInline
  func int(_ slot: PropertySlot) throws -> Int {
    try cell(slot, .integer) { $0.integer($1).flatMap { Int(exactly: $0) } }
  }

  @usableFromInline
  func bool(_ slot: PropertySlot) throws -> Bool { try cell(slot, .bool) { $0.bool($1) } }

  @usableFromInline
  func real(_ slot: PropertySlot) throws -> Double { try cell(slot, .real) { $0.real($1) } }

  @usableFromInline
  func text(_ slot: PropertySlot) throws -> String { try cell(slot, .text) { $0.text($1) } }

  @usableFromInline
  func date(_ slot: PropertySlot) throws -> Date {
    try cell(slot, .date) { $0.real($1).map { Date(timeIntervalSinceReferenceDate: $0) } }
  }

  @usableFromInline
  func uuid(_ slot: PropertySlot) throws -> UUID { try cell(slot, .uuid) { $0.uuid($1) } }

  /// Reads a value of any other type as `Codable` does.
  @usableFromInline
  func other<Value: Decodable>(_ slot: PropertySlot, _ type: Value.Type) throws -> Value {
    try check(slot, type)
    return try decoder.value(type, slot)
  }

  @inline(__always)
  private func cell<Value: Decodable>(
    _ slot: PropertySlot, _ kind: ScalarKind, _ read: (RowSource, Int32) -> Value?
  ) throws -> Value {
    if slot.holds(kind), let value = read(source, slot.place) { return value }
    return try other(slot, Value.self)
  }
}
