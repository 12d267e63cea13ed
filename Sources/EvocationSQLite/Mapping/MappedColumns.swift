public import Evocation

/// The columns of one statement for a mapping by hand, and the types that they accept.
@usableFromInline class MappedColumns {
  /// The slot of each key, all of them looked up.
  let keys: KeyMap

  fileprivate let layout: ModelLayout
  fileprivate let plan: TablePlan

  /// A type that each column of the statement is known to accept.
  @exclusivity(unchecked) private var types: [ObjectIdentifier?]  // for "store", by hand

  init<Key: CodingKey & CaseIterable>(
    _ layout: ModelLayout, of type: Key.Type, in plan: TablePlan
  ) {
    self.layout = layout
    self.plan = plan
    keys = KeyMap(layout, type)
    types = Array(repeating: nil, count: layout.names.count)
    for key in Key.allCases { _ = keys.slot(key) }
  }

  /// Returns the slot for a key that is larger than one byte.
  @usableFromInline
  final func slot(named name: String) -> PropertySlot { layout.slot(name) }

  /// Throws if a column does not hold values of this type.
  ///
  /// It remembers the type if it does.
  final func check<Value: Decodable>(
    _ slot: PropertySlot, _ type: Value.Type, isWriting: Bool = false
  ) throws {
    if slot.isUnknown { throw unknownKey }
    if types[Int(slot.place)] == ObjectIdentifier(type) { return }
    // JSON accepts any type, and the coding of that type decides whether it can be read.
    if slot.isPlain {
      let kind = try ModelSchema.of(Holder<Value>.self).properties.first?.kind.scalar
      guard let kind, slot.holds(kind) else { throw misfit(slot, type, isWriting: isWriting) }
    }
    types[Int(slot.place)] = ObjectIdentifier(type)
  }
}

/// Puts a type under a key, so that a schema can determine its kind.
private struct Holder<Value: Decodable>: Decodable {
  let value: Value
}

extension MappedColumns {
  /// The error for a key that is not a column, because it is not one of `allCases`.
  final var unknownKey: SQLiteError {
    SQLiteError(
      .misuse,
      "Mapping \(plan.model) to the table \(plan.table.quoted) failed: it uses a key that is not "
        + "one of the cases of its CodingKeys; use only these.")
  }

  /// The error for columns of the statement that were not written.
  final func incomplete(_ isWritten: [Bool]) -> SQLiteError {
    let names = zip(layout.names, isWritten).filter { !$1 }.map(\.0.quoted)
    return misuse(
      "did not write \(names.joined(separator: ", ")); write each column once, with "
        + "writeIfPresent for values that may be nil.")
  }

  final func twice(_ slot: PropertySlot) -> SQLiteError {
    misuse("wrote \(layout.names[Int(slot.place)].quoted) twice; write each column once.")
  }

  private final func misuse(_ sentence: String) -> SQLiteError {
    SQLiteError(
      .misuse, "Writing the table \(plan.table.quoted) failed: \(plan.model) \(sentence)")
  }

  private final func misfit(
    _ slot: PropertySlot, _ type: Any.Type, isWriting: Bool
  ) -> SQLiteError {
    let name = layout.names[Int(slot.place)]
    let kind = plan.schema[name]?.kind ?? .json
    return SQLiteError(
      .misuse,
      "\(isWriting ? "Writing" : "Reading") the table \(plan.table.quoted) failed: the column "
        + "\(name.quoted) holds \(kind), and \(plan.model) "
        + "\(isWriting ? "writes \(type) to" : "reads \(type) from") it; use the type that the "
        + "property has.")
  }
}
