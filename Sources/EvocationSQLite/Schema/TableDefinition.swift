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

  /// Returns what a file lacks of the definition, without writing anything.
  ///
  /// - Throws: ``SQLiteError`` with the code `schemaMismatch` if the table has another fault.
  func changes(in connection: Connection) throws -> TableChanges {
    var changes = TableChanges()
    let known = try ColumnKinds(connection: connection).all(of: plan.table)
    let sql = try connection.first(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(plan.table)],
      action: "Reading the schema"
    ) { $0.text(at: 0) }
    // A table that was created as it would be now has the same columns, so nothing else is asked.
    let isSame = sql == plan.create
    if isSame, plan.columns.allSatisfy({ known.kinds[$0.name.lowercased()] == $0.storedKind }) {
      for column in plan.columns where column.hasDefault {
        _ = try isFull(column, known: known.full, connection: connection, changes: &changes)
      }
    } else {
      let found = isSame ? plan.found : try FoundColumn.all(of: plan.table, connection)
      if found.isEmpty {
        (changes.isNew, changes.kinds) = (true, plan.columns)
        changes.full = Set(plan.columns.filter(\.hasDefault).map { $0.name.lowercased() })
      } else {
        try compare(found, recorded: known, in: connection, changes: &changes)
      }
    }
    changes.indexes = try indexes.filter { try !$0.isApplied(to: connection) }
    changes.isFullNews = changes.full != known.full
    return changes
  }

  /// Makes the changes, except that it writes no values into rows.
  ///
  /// `recordChange` runs if the table is created or changed.
  func apply(
    _ changes: TableChanges, to connection: Connection, recordChange: () throws -> Void
  ) throws {
    if changes.isNew {
      try connection.execute(plan.create, "Making the table \(plan.table.quoted)")
    }
    try ColumnKinds(connection: connection).record(changes.kinds, of: plan.table)
    try add(changes.added, connection)
    if changes.isNew || !changes.added.isEmpty { try recordChange() }
    for index in changes.indexes { try index.apply(to: connection) }
  }

  /// Finds the columns of new properties, and those with rows that lack a value, if the table has no
  /// other fault.
  private func compare(
    _ found: [FoundColumn], recorded: ColumnKinds.Known, in connection: Connection,
    changes: inout TableChanges
  ) throws {
    var (faults, fixes) = ([String](), [String]())
    let known = recorded.kinds
    let columns = [String: FoundColumn](found.map { ($0.lowercased, $0) }) { first, _ in first }
    for (position, column) in plan.columns.enumerated() {
      let name = column.name.lowercased()
      if let there = columns[name] {
        let fault = try TypeFault(
          column, there, kind: known[name], table: plan.table, connection: connection)
        let keyIndex = plan.key.firstIndex(of: position)
        faults += Self.faults(column, there, fault: fault, keyIndex: keyIndex)
        // A key cannot be dropped, so its table has to be created again.
        if let fault, keyIndex == nil { fixes += fault.fix }
        if there.takesNull,
          try !isFull(column, known: recorded.full, connection: connection, changes: &changes)
        {
          faults.append("\(column.name.quoted) is null in a row, and may not be")
          fixes.append(plan.filling(column))
        }
      } else if let fault = try missing(column, at: position, connection: connection) {
        faults.append(fault)
      } else {
        changes.added.append(column)
        if column.hasDefault { changes.full.insert(column.name.lowercased()) }
      }
    }
    let own = Set(plan.columns.map { $0.name.lowercased() })
    faults += found.filter { !own.contains($0.lowercased) }.compactMap(\.unfillableFault)
    try refuse(faults, fixes, connection: connection)
    // If nothing is new, nothing is written, so that a damaged file stays unchanged.
    let isMigrated = known.values.contains("")
    let unknown = plan.columns.filter { known[$0.name.lowercased(), default: ""].isEmpty }
    changes.kinds = isMigrated ? unknown : changes.added
  }

  /// Returns whether no row lacks a value that the model requires, and records those without a default.
  private func isFull(
    _ column: Column, known: Set<String>, connection: Connection, changes: inout TableChanges
  ) throws -> Bool {
    let name = column.name.lowercased()
    guard column.isRequired || column.hasDefault else { return true }
    changes.full.insert(name)
    guard try hasNull(column, in: known.contains(name) ? Self.manyRows : -1, connection: connection)
    else {
      return true
    }
    if !column.isRequired { changes.unfilled.append(column) }
    return !column.isRequired
  }

  /// How many rows are looked at again in a column that was full before.
  ///
  /// Other code may have written there, but a start reads no long table.
  private static let manyRows: Int64 = 10_000

  /// Returns whether any of the last rows has null in a column; all are looked at if the limit is
  /// negative.
  private func hasNull(
    _ column: Column, in limit: Int64, connection: Connection
  ) throws -> Bool {
    let name = column.name.quoted
    // Outside of a subquery, SQLite does not know its column by the name `true`.
    let rows = """
      SELECT 1 FROM (SELECT \(name) IS NULL AS lacks FROM \(plan.table.quoted) ORDER BY \
      \(plan.columns[plan.key[0]].name.quoted) DESC LIMIT ?) WHERE lacks LIMIT 1
      """
    return try connection.first(rows, [.integer(limit)]) != nil
  }

  /// Returns why a missing column cannot be added; nil if it can.
  private func missing(
    _ column: Column, at position: Int, connection: Connection
  ) throws -> String? {
    if plan.key.contains(position) {
      return "\(column.name.quoted) is missing, and part of the primary key"
    }
    let rows = "SELECT 1 FROM \(plan.table.quoted) LIMIT 1"
    if try column.isOptional || connection.first(rows) == nil { return nil }
    return "\(column.name.quoted) is missing, and the existing rows have no value for it (make it "
      + "optional, give it a default, or add it in a migration)"
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
    if there.isGenerated {
      faults.append("\(column.name.quoted) is generated, and a model writes it")
    } else if let fault {
      faults.append(fault.reason)
    } else if there.isRequired, !column.isRequired, there.keyPosition == 0 {
      faults.append("\(column.name.quoted) does not take null")
    }
    let keyPosition = keyIndex.map { $0 + 1 } ?? 0
    if keyPosition > 0, there.keyPosition > 0, there.keyPosition != Int64(keyPosition) {
      faults.append(
        "\(column.name.quoted) is number \(there.keyPosition) of the primary key instead of "
          + "\(keyPosition)")
    } else if there.keyPosition != Int64(keyPosition) {
      faults.append(
        "\(column.name.quoted) is \(keyPosition == 0 ? "" : "not ")part of the primary key")
    }
    return faults
  }
}

/// What a file lacks of a table's definition.
struct TableChanges {
  var isNew = false
  /// The columns to add, which have no values in old rows.
  var added: [Column] = []
  /// The columns in which rows lack the type's own value, as a version without them wrote them.
  var unfilled: [Column] = []
  /// The columns that have a value in each row after this, although the table would take null.
  var full: Set<String> = []
  /// Whether the file does not say that of exactly these columns.
  var isFullNews = false

  fileprivate(set) var kinds: [Column] = []
  fileprivate(set) var indexes: [IndexDefinition] = []

  /// Whether there is nothing to write that a repository needs.
  var isEmpty: Bool {
    !isNew && added.isEmpty && unfilled.isEmpty && kinds.isEmpty && indexes.isEmpty
  }
}
