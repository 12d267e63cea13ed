internal import Evocation

/// Makes a model's table, or checks that the one which is there is the model's.
struct TableDefinition {
  let plan: TablePlan
  let indexes: [SQLiteIndex]

  func apply(to connection: Connection) throws {
    let found = try columns(connection)
    if found.isEmpty {
      try connection.writeFormat()
      try connection.execute(plan.create, "Making the table \(plan.table.quoted)")
    } else {
      try check(found, connection)
    }
    for index in indexes {
      try connection.execute(
        try sql(index), "Making an index of the table \(plan.table.quoted)")
    }
  }

  /// A column as the database describes it.
  private struct Found {
    let name: String
    let type: String
    let isRequired: Bool
    let hasDefault: Bool
    let keyPosition: Int64
  }

  private func columns(_ connection: Connection) throws -> [Found] {
    let statement = try connection.statement("PRAGMA table_xinfo(\(plan.table.quoted))")
    defer { statement.reset() }
    var found: [Found] = []
    while try connection.step(statement, "Reading the schema") {
      guard case .text(let name) = statement.value(at: 1),
        case .text(let type) = statement.value(at: 2),
        case .integer(let isRequired) = statement.value(at: 3),
        case .integer(let keyPosition) = statement.value(at: 5)
      else { continue }
      found.append(
        Found(
          name: name, type: type, isRequired: isRequired != 0,
          hasDefault: statement.value(at: 4) != .null, keyPosition: keyPosition))
    }
    return found
  }

  private func check(_ found: [Found], _ connection: Connection) throws {
    var faults: [String] = []
    for (position, column) in plan.columns.enumerated() {
      guard let there = found.first(where: { $0.name == column.name }) else {
        faults.append("\(column.name.quoted) is missing")
        continue
      }
      let type = column.type.split(separator: " ").first.map(String.init) ?? ""
      if there.type.uppercased() != type {
        faults.append("\(column.name.quoted) is \(there.type) instead of \(type)")
      } else if there.isRequired, !column.isRequired, there.keyPosition == 0 {
        faults.append("\(column.name.quoted) does not take null")
      }
      let keyPosition = plan.key.firstIndex(of: position).map { $0 + 1 } ?? 0
      if there.keyPosition != Int64(keyPosition) {
        faults.append(
          "\(column.name.quoted) is \(keyPosition == 0 ? "" : "not ")part of the primary key")
      }
    }
    // A column that the model does not know is left alone as long as rows can do without it.
    for column in found where plan.position(column.name) == nil {
      if column.isRequired, !column.hasDefault {
        faults.append("\(column.name.quoted) is not of the model, and wants a value")
      }
    }
    guard !faults.isEmpty else { return }
    throw SQLiteError(
      .schemaMismatch,
      "Using the table \(plan.table.quoted) of \(connection.file) for \(plan.model) failed: its "
        + "columns are others: \(faults.joined(separator: ", ")); give another name with table:, or "
        + "change the table with SQL.")
  }

  private func sql(_ index: SQLiteIndex) throws(EvocationError) -> String {
    var expressions: [String] = []
    for key in index.keys {
      let place = try plan.schema.place(of: key)
      switch place.kind {
      case .list, .object:
        throw .unmappable(
          model: plan.model, property: key.name,
          reason: "an index takes single values, and it holds \(place.kind)")
      default: expressions.append(try SQLPredicate(plan: plan).place(key).value)
      }
    }
    let name = ([plan.table] + index.keys.map(\.name)).joined(separator: "_")
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(name.quoted) "
      + "ON \(plan.table.quoted) (\(expressions.joined(separator: ", ")))"
  }
}
