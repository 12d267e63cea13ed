internal import Evocation
internal import Foundation

/// The table of a model type, with the SQL that reads and writes it, which is composed once.
final class ModelTable<Model: Codable & Identifiable & Sendable>: Sendable {
  let plan: TablePlan
  let mapping: any RowMapping<Model>
  let selection: SQLSelection
  let insert: String
  let insertMany: String
  let upsert: String
  let upsertMany: String
  let update: String
  let remove: String
  let selectOne: String
  private let all: ModelLayout
  private let key: ModelLayout
  private let isIDCoded: Bool
  private let isMappedByHand: Bool
  private let keyPlace: SQLExpression?
  private let keyName: String

  /// The table's name in lowercase, because SQLite ignores the case of names.
  let queueName: String

  init(_ plan: TablePlan) throws {
    self.plan = plan
    queueName = plan.table.lowercased()
    mapping = try plan.mapping(of: Model.self)
    selection = SQLSelection(plan)
    isMappedByHand = !(mapping is CodableMapping<Model>)
    insert = plan.insert()
    insertMany = plan.insert(rows: plan.batchSize)
    upsert = plan.upsert()
    upsertMany = plan.upsert(rows: plan.batchSize)
    update = plan.update
    remove = plan.remove
    selectOne = plan.selectOne
    all = plan.layout(of: Array(plan.columns.indices))
    key = plan.layout(of: plan.key)
    isIDCoded = plan.schema["id"] != nil
    keyName = plan.columns[plan.key[0]].name
    let place = try? plan.schema.target(of: Criteria.Key(keyName))
    keyPlace = plan.key.count == 1 ? place.map { SQLExpression($0, table: plan.table) } : nil
  }

  /// Returns the model's id, by which repositories distinguish models.
  func id(_ model: Model) -> ModelID { ModelID(of: model, isCoded: isIDCoded) }

  /// Returns the value of the key if the criteria select one model by its key, and nothing else.
  func key(of criteria: Criteria) -> SQLValue? {
    guard let keyPlace, criteria.offset <= 0, criteria.cursor == nil,
      criteria.limit.map({ $0 > 0 }) ?? true,
      case .comparison(let key, .equal, let operand) = criteria.predicate,
      key.name == keyName, operand.value != .null,
      case .exact(let value) = SQLOperand(operand.value, keyPlace)
    else { return nil }
    return value
  }

  /// Does the same for unresolved criteria, if resolving them would change nothing.
  func plainKey(of criteria: Criteria) -> SQLValue? {
    guard let keyPlace, criteria.order.isEmpty, criteria.cursor == nil, criteria.offset <= 0,
      criteria.limit.map({ $0 > 0 }) ?? true,
      case .comparison(let key, .equal, let operand) = criteria.predicate, key.name == keyName
    else { return nil }
    switch (keyPlace.kind, operand.value) {
    case (.scalar(.integer), .integer(let value)): return .integer(value)
    case (.scalar(.text), .text(let value)): return .text(value)
    case (.scalar(.uuid), .uuid), (.scalar(.data), .data): return SQLValue(operand.value)
    case (.scalar, _), (.list, _), (.object, _), (.json, _): return nil
    }
  }

  /// Reads all models that the query returns.
  func read(_ query: SQLQuery, _ connection: Connection) throws -> [Model] {
    let (statement, decoder) = try prepare(query, connection)
    defer { finish(statement, decoder) }
    var models = ModelList<Model>()
    while try connection.step(statement, reading) { models.append(try mapping.read(decoder)) }
    return models.take()
  }

  /// Reads the model of a key, or none.
  func read(_ key: SQLValue, _ connection: Connection) throws -> [Model] {
    let statement = try connection.statement(selectOne)
    try connection.check(statement.bind(key, at: 1), "Binding a value")
    let decoder = decoder(statement)
    decoder.source.handle = statement.handle
    defer { finish(statement, decoder) }
    return try connection.step(statement, reading) ? [mapping.read(decoder)] : []
  }

  /// Reads models one after another, until `body` returns false.
  func forEach(
    _ query: SQLQuery, _ connection: Connection, _ body: (Model) throws -> Bool
  ) throws {
    let (statement, decoder) = try prepare(query, connection)
    defer { finish(statement, decoder) }
    while try connection.step(statement, reading) {
      guard try body(mapping.read(decoder)) else { break }
    }
  }

  /// Prepares a statement whose parameters are all columns.
  func writer(_ sql: String, _ connection: Connection) throws -> RowWriter<Model> {
    let statement = try connection.statement(sql)
    return RowWriter(
      statement: statement, encoder: encoder(statement, all), mapping: mapping,
      connection: connection, table: plan.table)
  }

  /// Prepares to read rows by the keys of models.
  func finder(_ connection: Connection) throws -> RowFinder<Model> {
    let select = try connection.statement(selectOne)
    return RowFinder(select: writer(select, connection), decoder: decoder(select))
  }

  /// Prepares to remove rows by the keys of models.
  func remover(_ connection: Connection) throws -> RowRemover<Model> {
    let delete = try connection.statement(remove)
    return RowRemover(finder: try finder(connection), delete: writer(delete, connection))
  }

  /// Changes the key of a model's row to the key of another model.
  func rekey(_ model: Model, to new: Model, _ connection: Connection) throws {
    let names = plan.key.map { plan.columns[$0].name.quoted + " = ?" }
    let sql =
      "UPDATE \(plan.table.quoted) SET " + names.joined(separator: ", ") + " WHERE "
      + names.joined(separator: " AND ")
    try connection.run(
      sql, keyValues(of: new, connection) + keyValues(of: model, connection),
      "Writing the table \(plan.table.quoted)")
  }

  /// Returns the values of a model's key, as they are stored.
  func keyValues(of model: Model, _ connection: Connection) throws -> [SQLValue] {
    let parameters = plan.key.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.statement("SELECT \(parameters)")
    defer { statement.reset() }
    _ = try writer(statement, connection).step(model)
    return plan.key.indices.map { statement.value(at: Int32($0)) }
  }

  var reading: String { "Reading the table \(plan.table.quoted)" }

  func prepare(
    _ query: SQLQuery, _ connection: Connection
  ) throws -> (Statement, RowDecoder) {
    let statement = try connection.bound(query.text, query.values)
    let decoder = decoder(statement)
    decoder.source.handle = statement.handle
    return (statement, decoder)
  }

  func finish(_ statement: Statement, _ decoder: RowDecoder) {
    decoder.source.handle = nil
    statement.reset()
  }

  /// Prepares a statement whose parameters are the key.
  func writer(_ statement: Statement, _ connection: Connection) -> RowWriter<Model> {
    RowWriter(
      statement: statement, encoder: encoder(statement, key), mapping: mapping,
      connection: connection, table: plan.table)
  }

  /// Binds a model as JSON to a parameter, with an encoder that belongs to the statement.
  func bindJSON(
    _ model: Model, to statement: Statement, at index: Int32, _ connection: Connection
  ) throws {
    var code: Int32 = 0
    let bind: (UnsafeRawBufferPointer) -> Void = { code = statement.bind(text: $0, at: index) }
    // The model's `init(from:)` cannot read what a mapping by hand writes.
    if try isMappedByHand || !encoder(statement, all).json(model, by: mapping, bind) {
      try ModelJSON.data(model).withUnsafeBytes(bind)
    }
    try connection.check(code, "Binding a value")
  }

  func decoder(_ statement: Statement) -> RowDecoder {
    let decoder = statement.decoder as? RowDecoder ?? RowDecoder(all)
    statement.decoder = decoder
    return decoder
  }

  private func encoder(_ statement: Statement, _ columns: ModelLayout) -> RowEncoder {
    let encoder = statement.encoder as? RowEncoder ?? RowEncoder(columns)
    statement.encoder = encoder
    return encoder
  }
}
