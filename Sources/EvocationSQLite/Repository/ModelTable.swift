internal import Evocation

/// The table of a model type, with the SQL that reads and writes it, made once.
struct ModelTable<Model: Codable & Identifiable & Sendable>: Sendable {
  let plan: TablePlan
  let selection: SQLSelection
  let insert: String
  let upsert: String
  let update: String
  let remove: String
  let selectOne: String
  private let all: ColumnTable
  private let key: ColumnTable
  private let isIDCoded: Bool

  init(_ plan: TablePlan) {
    self.plan = plan
    selection = SQLSelection(plan)
    insert = plan.insert
    upsert = plan.upsert
    update = plan.update
    remove = plan.remove
    selectOne = plan.selectOne
    all = ColumnTable(plan.columns, positions: Array(plan.columns.indices))
    key = ColumnTable(plan.columns, positions: plan.key)
    isIDCoded = plan.schema["id"] != nil
  }

  /// The model's id, as repositories tell models apart.
  func id(_ model: Model) -> ModelID { ModelID(of: model, isCoded: isIDCoded) }

  /// The value of the key, when the criteria ask for one model by its key and nothing else.
  func key(of criteria: Criteria) -> SQLValue? {
    guard plan.key.count == 1, criteria.offset == 0, criteria.cursor == nil,
      criteria.limit.map({ $0 > 0 }) ?? true,
      case .comparison(let key, .equal, let operand) = criteria.predicate,
      key.name == plan.columns[plan.key[0]].name, operand.value != .null,
      let place = try? SQLPredicate(plan: plan).place(key),
      case .exact(let value) = SQLOperand(operand.value, place)
    else { return nil }
    return value
  }

  /// Reads all models that the query gives.
  func read(_ query: SQLQuery, _ connection: Connection) throws -> [Model] {
    var models: [Model] = []
    try forEach(query, connection) { model in
      models.append(model)
      return true
    }
    return models
  }

  /// Reads models one after the other, until `body` has enough.
  func forEach(
    _ query: SQLQuery, _ connection: Connection, _ body: (Model) throws -> Bool
  ) throws {
    let statement = try connection.statement(query.text)
    defer { statement.reset() }
    for (index, value) in query.values.enumerated() {
      try connection.check(statement.bind(value, at: Int32(index + 1)), "Binding a value")
    }
    let decoder = decoder(statement)
    defer { decoder.reader.pointee.handle = nil }
    while try connection.step(statement, "Reading the table \(plan.table.quoted)") {
      guard try body(Model(from: decoder)) else { break }
    }
  }

  /// Runs a statement whose parameters are all columns; gives whether it wrote a row.
  func write(_ model: Model, _ sql: String, _ connection: Connection) throws -> Bool {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    try encoder(statement, all).bind(model, to: statement, in: connection)
    _ = try connection.step(statement, "Writing the table \(plan.table.quoted)")
    return connection.changes > 0
  }

  /// Gives the model that the table has under a model's key.
  func held(_ model: Model, _ connection: Connection) throws -> Model? {
    try row(of: model, selectOne, connection, "Reading the table \(plan.table.quoted)")
  }

  /// Removes the row of a model's key, and gives it as it was.
  func remove(_ model: Model, _ connection: Connection) throws -> Model? {
    try row(of: model, remove, connection, "Writing the table \(plan.table.quoted)")
  }

  /// Runs a statement whose parameters are the key of a model, and gives its row.
  private func row(
    of model: Model, _ sql: String, _ connection: Connection, _ action: @autoclosure () -> String
  ) throws -> Model? {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    try encoder(statement, key).bind(model, to: statement, in: connection)
    guard try connection.step(statement, action()) else { return nil }
    let decoder = decoder(statement)
    defer { decoder.reader.pointee.handle = nil }
    let model = try Model(from: decoder)
    // The row is gone only once the statement has come to its end.
    while try connection.step(statement, action()) {}
    return model
  }

  private func decoder(_ statement: Statement) -> RowDecoder {
    let owner = statement.decoder ?? RowDecoderOwner(all)
    statement.decoder = owner
    owner.decoder.reader.pointee.handle = statement.handle
    return owner.decoder
  }

  private func encoder(_ statement: Statement, _ columns: ColumnTable) -> RowEncoder {
    let owner = statement.encoder ?? RowEncoderOwner(columns)
    statement.encoder = owner
    return owner.encoder
  }
}
