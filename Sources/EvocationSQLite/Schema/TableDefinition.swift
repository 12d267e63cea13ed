internal import Evocation

/// Creates a model's table, or adapts the existing one to the model if possible.
struct TableDefinition {
  private let plan: TablePlan
  private let indexes: [IndexDefinition]

  init(plan: TablePlan, indexes: [SQLiteIndex]) throws(EvocationError) {
    self.plan = plan
    var definitions: [IndexDefinition] = []
    for index in indexes {
      let definition = try IndexDefinition(index, plan)
      // Of two indexes over the same keys, the unique one serves both.
      if let twin = definitions.firstIndex(where: { $0.name == definition.name }) {
        if definition.isUnique { definitions[twin] = definition }
      } else {
        definitions.append(definition)
      }
    }
    self.indexes = definitions
  }

  /// Applies the definition, and returns the columns that it added, which have no values in old
  /// rows.
  ///
  /// `noteChange` runs if the table was created or changed.
  func apply(to connection: Connection, noteChange: () throws -> Void) throws -> [Column] {
    var added: [Column] = []
    let found = try FoundColumn.all(of: plan.table, connection)
    if found.isEmpty {
      try connection.execute(plan.create, "Making the table \(plan.table.quoted)")
      try ColumnKinds(connection: connection).note(plan.columns, of: plan.table)
    } else {
      added = try adapt(found, connection)
    }
    if found.isEmpty || !added.isEmpty { try noteChange() }
    for index in indexes { try index.apply(to: connection) }
    return added
  }

  /// Adds the columns of new properties, if the table has no other fault.
  private func adapt(_ found: [FoundColumn], _ connection: Connection) throws -> [Column] {
    var faults: [String] = []
    var fixes: [String] = []
    var added: [Column] = []
    let kinds = ColumnKinds(connection: connection)
    let known = try kinds.all(of: plan.table)
    for (position, column) in plan.columns.enumerated() {
      if let there = found.first(where: { $0.isNamed(column.name) }) {
        let fault = try TypeFault(
          column, there, kind: known[column.name.lowercased()], table: plan.table,
          connection: connection)
        let keyIndex = plan.key.firstIndex(of: position)
        faults += Self.faults(column, there, fault: fault, keyIndex: keyIndex)
        // A key cannot be dropped, so its table has to be created again.
        if let fault, keyIndex == nil { fixes += fault.fix }
      } else if plan.key.contains(position) {
        faults.append("\(column.name.quoted) is missing, and part of the primary key")
      } else {
        let rows = "SELECT 1 FROM \(plan.table.quoted) LIMIT 1"
        if try column.isOptional || connection.first(rows) == nil {
          added.append(column)
        } else {
          faults.append(
            "\(column.name.quoted) is missing, and the existing rows have no value for it (make it "
              + "optional, give it a default, or add it in a migration)")
        }
      }
    }
    faults += found.filter { there in !plan.columns.contains { there.isNamed($0.name) } }
      .compactMap(\.unfillableFault)
    try refuse(faults, fixes, connection: connection)
    // If nothing is new, nothing is written, so that a damaged file stays unchanged.
    let isMigrated = known.values.contains("")
    let unknown = plan.columns.filter { known[$0.name.lowercased(), default: ""].isEmpty }
    try kinds.note(isMigrated ? unknown : added, of: plan.table)
    try add(added, connection)
    return added
  }

  private func add(_ columns: [Column], _ connection: Connection) throws {
    for column in columns {
      try connection.execute(
        "ALTER TABLE \(plan.table.quoted) ADD COLUMN \(column.definition)",
        "Adding a column to the table \(plan.table.quoted)")
    }
  }

  private func refuse(
    _ faults: [String], _ fixes: [String], connection: Connection
  ) throws {
    guard !faults.isEmpty else { return }
    let example = fixes.isEmpty ? "" : ", such as \(fixes.joined(separator: "; "))"
    throw SQLiteError(
      .schemaMismatch,
      "Using the table \(plan.table.quoted) of \(connection.file) for \(plan.model) failed: its "
        + "columns differ: \(faults.joined(separator: ", ")); use another name with table:, or "
        + "change the table in a migration\(example).")
  }

  private static func faults(
    _ column: Column, _ there: FoundColumn, fault: TypeFault?, keyIndex: Int?
  ) -> [String] {
    var faults: [String] = []
    if let fault {
      faults.append(fault.reason)
    } else if there.isRequired, !column.isRequired, there.keyPosition == 0 {
      faults.append("\(column.name.quoted) does not take null")
    }
    let keyPosition = keyIndex.map { $0 + 1 } ?? 0
    if there.keyPosition != Int64(keyPosition) {
      faults.append(
        "\(column.name.quoted) is \(keyPosition == 0 ? "" : "not ")part of the primary key")
    }
    return faults
  }
}
