internal import Evocation

/// The columns of one statement that a mapping by hand has written, and the types that they accept.
final class MappedColumns {
  let table: String
  let model: String

  /// The slot of each key, all of them looked up.
  let keys: KeyMap

  private let columns: ColumnMap

  /// The row that was last written, for each column of the statement.
  private let marks: UnsafeMutablePointer<UInt32>

  /// A type that each column of the statement is known to accept.
  private var types: [ObjectIdentifier?]
  private var row: UInt32 = 0
  private var written = 0

  init<Key: CodingKey & CaseIterable>(
    _ columns: ColumnMap, of type: Key.Type, table: String, model: String
  ) {
    self.columns = columns
    self.table = table
    self.model = model
    keys = KeyMap(columns)
    types = Array(repeating: nil, count: columns.positions.count)
    marks = .allocate(capacity: columns.positions.count)
    marks.initialize(repeating: 0, count: columns.positions.count)
    for key in Key.allCases { _ = self.keys.slot(key) }
  }

  deinit {
    marks.deallocate()
  }

  /// Returns the slot for a key that is larger than one byte.
  func slot(named name: String) -> ColumnSlot { columns.slot(name) }

  /// Begins a row without written columns.
  func beginRow() {
    row &+= 1
    if row == 0 {
      marks.update(repeating: 0, count: columns.positions.count)
      row = 1
    }
    written = 0
  }

  /// Marks a column as written; false if it already was.
  @inline(__always)
  func mark(_ slot: ColumnSlot) -> Bool {
    let position = Int(slot.position)
    if marks[position] == row { return false }
    marks[position] = row
    written += 1
    return true
  }

  /// Throws if a column of the statement was not written.
  @inline(__always)
  func endRow() throws {
    if written != columns.positions.count { throw incomplete }
  }

  /// Returns the column at a position of the statement.
  func column(_ place: Int) -> Column { columns.columns[columns.positions[place]] }

  /// The columns of the statement that were not written.
  var missing: [Column] {
    columns.positions.indices.filter { marks[$0] != row }.map(column)
  }

  /// Throws if a column does not hold values of this type.
  ///
  /// It remembers the type if it does.
  @inline(__always)
  func check<Value: Decodable>(
    _ slot: ColumnSlot, _ type: Value.Type, isWriting: Bool
  ) throws {
    if slot.isUnknown { throw unknownKey }
    if types[Int(slot.position)] == ObjectIdentifier(type) { return }
    try learn(slot, type, isWriting)
  }

  private func learn<Value: Decodable>(
    _ slot: ColumnSlot, _ type: Value.Type, _ isWriting: Bool
  ) throws {
    // JSON accepts any type, and the coding of that type decides whether it can be read.
    if !slot.isJSON {
      let kind = try ModelSchema.of(Holder<Value>.self).properties.first?.kind.scalar
      guard let kind, slot.holds(kind) else {
        throw misfit(slot, type, isWriting)
      }
    }
    types[Int(slot.position)] = ObjectIdentifier(type)
  }
}

/// Puts a type under a key, so that a schema can determine its kind.
private struct Holder<Value: Decodable>: Decodable {
  let value: Value
}

extension MappedColumns {
  /// The error for a key that is not a column, because it is not one of `allCases`.
  var unknownKey: SQLiteError {
    SQLiteError(
      .misuse,
      "Mapping \(model) to the table \(table.quoted) failed: it uses a key that is not one of the "
        + "cases of its CodingKeys; use only these.")
  }

  var incomplete: SQLiteError {
    let names = missing.map(\.name.quoted).joined(separator: ", ")
    return SQLiteError(
      .misuse,
      "Writing the table \(table.quoted) failed: \(model) did not write \(names); write each "
        + "column once, with writeIfPresent for values that may be nil.")
  }

  func twice(_ slot: ColumnSlot) -> SQLiteError {
    SQLiteError(
      .misuse,
      "Writing the table \(table.quoted) failed: \(model) wrote "
        + "\(column(Int(slot.position)).name.quoted) twice; write each column once.")
  }

  func misfit(_ slot: ColumnSlot, _ type: Any.Type, _ isWriting: Bool) -> SQLiteError {
    let column = column(Int(slot.position))
    return SQLiteError(
      .misuse,
      "\(isWriting ? "Writing" : "Reading") the table \(table.quoted) failed: the column "
        + "\(column.name.quoted) holds \(column.kind), and \(model) "
        + "\(isWriting ? "writes \(type) to" : "reads \(type) from") it; use the type that the "
        + "property has.")
  }
}
