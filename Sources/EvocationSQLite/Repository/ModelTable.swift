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
  private let keyPlace: SQLPlace?
  private let keyName: String

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
    keyName = plan.columns[plan.key[0]].name
    let place = try? plan.schema.place(of: Criteria.Key(keyName))
    keyPlace = plan.key.count == 1 ? place.map { SQLPlace($0, table: plan.table) } : nil
  }

  /// The model's id, as repositories tell models apart.
  func id(_ model: Model) -> ModelID { ModelID(of: model, isCoded: isIDCoded) }

  /// The value of the key, when the criteria ask for one model by its key and nothing else.
  func key(of criteria: Criteria) -> SQLValue? {
    guard let keyPlace, criteria.offset <= 0, criteria.cursor == nil,
      criteria.limit.map({ $0 > 0 }) ?? true,
      case .comparison(let key, .equal, let operand) = criteria.predicate,
      key.name == keyName, operand.value != .null,
      case .exact(let value) = SQLOperand(operand.value, keyPlace)
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
    decoder.reader.pointee.handle = statement.handle
    defer { decoder.reader.pointee.handle = nil }
    while try connection.step(statement, "Reading the table \(plan.table.quoted)") {
      guard try body(Model(from: decoder)) else { break }
    }
  }

  /// Prepares to run a statement whose parameters are all columns.
  func writer(_ sql: String, _ connection: Connection) throws -> RowWriter {
    let statement = try connection.statement(sql)
    return RowWriter(
      statement: statement, encoder: encoder(statement, all), connection: connection,
      table: plan.table)
  }

  /// Prepares to read rows by the keys of models.
  func finder(_ connection: Connection) throws -> RowFinder<Model> {
    let select = try connection.statement(selectOne)
    return RowFinder(select: writer(select, connection), decoder: decoder(select))
  }

  /// Prepares to remove rows by their keys.
  func remover(_ connection: Connection) throws -> RowRemover<Model> {
    let delete = try connection.statement(remove)
    return RowRemover(finder: try finder(connection), delete: writer(delete, connection))
  }

  /// Prepares to run a statement whose parameters are the key.
  private func writer(_ statement: Statement, _ connection: Connection) -> RowWriter {
    RowWriter(
      statement: statement, encoder: encoder(statement, key), connection: connection,
      table: plan.table)
  }

  private func decoder(_ statement: Statement) -> RowDecoder {
    let owner = statement.decoder ?? RowDecoderOwner(all)
    statement.decoder = owner
    return owner.decoder
  }

  private func encoder(_ statement: Statement, _ columns: ColumnTable) -> RowEncoder {
    let owner = statement.encoder ?? RowEncoderOwner(columns)
    statement.encoder = owner
    return owner.encoder
  }
}
