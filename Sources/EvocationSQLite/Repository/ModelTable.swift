internal import Evocation
internal import Foundation

/// The table of a model type, with the SQL that reads and writes it, which is composed once.
///
/// Those that write are composed when they are used, because an app registers many models when it
/// is launched ("launch").
final class ModelTable<Model: Codable & Identifiable & Sendable>: Sendable {
  let plan: TablePlan
  let mapping: any RowMapping<Model>
  let selection: SQLSelection
  let selectOne: String
  let keyColumns: ModelLayout
  /// Whether reads of many models leave out rows that the type cannot decode.
  let leavesOutUnreadable: Bool
  /// How many rows the last read left out that the log has.
  let leftOutCount = Lock(0)
  private let allColumns: ModelLayout
  private let statements = Lock([String?](repeating: nil, count: TablePlan.Writing.allCases.count))
  private let identity = ModelIdentity.of(Model.self)
  private let keyKind: ScalarKind?
  private let keyName: String

  /// The table's name in lowercase, because SQLite ignores the case of names.
  let queueName: String

  init(_ plan: TablePlan, leavesOutUnreadable: Bool = false) throws {
    self.plan = plan
    self.leavesOutUnreadable = leavesOutUnreadable
    queueName = plan.table.lowercased()
    mapping = try plan.mapping(of: Model.self)
    selection = SQLSelection(plan)
    selectOne = plan.selectOne
    allColumns = plan.layout(of: Array(plan.columns.indices))
    keyColumns = plan.layout(of: plan.key)
    keyName = plan.keyName
    let target = try? plan.schema.target(of: Criteria.Key(keyName))
    keyKind = plan.key.count == 1 && target?.isNested == false ? target?.kind.scalar : nil
  }

  var insert: String { statement(.insert) }
  var upsert: String { statement(.upsert) }
  var update: String { statement(.update) }
  var remove: String { statement(.remove) }

  /// Inserts as many rows as one statement does.
  var insertMany: String { statement(.insertMany) }

  /// Inserts or updates as many rows as one statement does.
  var upsertMany: String { statement(.upsertMany) }

  private func statement(_ kind: TablePlan.Writing) -> String {
    statements.withLock { statements in
      if let known = statements[kind.rawValue] { return known }
      let statement = plan.statement(kind)
      statements[kind.rawValue] = statement
      return statement
    }
  }

  /// Returns the model's id, by which repositories distinguish models.
  func id(_ model: Model) -> ModelID { ModelID(of: model, identity) }

  /// Returns the value of the key if the criteria select one model by its key, and nothing else.
  ///
  /// The criteria need not be resolved, because that would change nothing.
  func key(of criteria: Criteria) -> SQLValue? {
    guard let keyKind, criteria.order.isEmpty, criteria.cursor == nil, criteria.offset <= 0,
      criteria.limit.map({ $0 > 0 }) ?? true,
      case .comparison(let key, .equal, let operand) = criteria.predicate, key.name == keyName,
      let kind = operand.value.kind,
      kind == keyKind || (kind, keyKind) == (.integer, .unsigned)
    else { return nil }
    return SQLValue(operand.value)
  }

  /// Reads all models that the query returns.
  func read(_ query: SQLQuery, _ connection: Connection) throws -> [Model] {
    try find(query, connection).models
  }

  /// Reads all models that the query returns, and says how many rows it left out.
  func find(
    _ query: SQLQuery, _ connection: Connection
  ) throws -> (models: [Model], leftOut: Int) {
    if leavesOutUnreadable { return try findReadable(query, connection) }
    let (statement, decoder) = try prepare(query, connection)
    defer { finish(statement, decoder) }
    var models = ModelList<Model>()
    do {
      while try connection.step(statement, reading) { models.append(try mapping.read(decoder)) }
    } catch {
      throw refusal(error, of: statement, in: connection)
    }
    return (models.take(), 0)
  }

  /// Reads the model of a key, or none; a row that cannot be decoded is never left out.
  func read(_ key: SQLValue, _ connection: Connection) throws -> [Model] {
    let statement = try connection.statement(selectOne)
    try connection.check(statement.bind(key, at: 1), "Binding a value")
    let decoder = decoder(statement)
    decoder.source.handle = statement.handle
    defer { finish(statement, decoder) }
    do {
      return try connection.step(statement, reading) ? [mapping.read(decoder)] : []
    } catch {
      throw refusal(error, of: statement, in: connection)
    }
  }

  /// Prepares a statement whose parameters are columns, all of them by default.
  func writer(
    _ sql: String, _ connection: Connection, of columns: ModelLayout? = nil
  ) throws -> RowWriter<Model> {
    let statement = try connection.statement(sql)
    return RowWriter(
      statement: statement, encoder: encoder(statement, columns ?? allColumns), mapping: mapping,
      connection: connection, table: plan.table)
  }

  /// Prepares to read rows by the keys of models.
  func finder(_ connection: Connection) throws -> RowFinder<Model> {
    let select = try writer(selectOne, connection, of: keyColumns)
    return RowFinder(select: select, decoder: decoder(select.statement))
  }

  /// Changes the key of a model's row to the key of another model.
  func rekey(_ model: Model, to new: Model, connection: Connection) throws {
    try connection.run(
      plan.update(plan.key.map { (plan.columns[$0], "?") }),
      key(of: new, connection).values + key(of: model, connection).values,
      action: "Writing the table \(plan.table.quoted)")
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

  func decoder(_ statement: Statement) -> RowDecoder {
    let decoder = statement.decoder as? RowDecoder ?? RowDecoder(allColumns)
    statement.decoder = decoder
    return decoder
  }

  private func encoder(_ statement: Statement, _ columns: ModelLayout) -> RowEncoder {
    let encoder = statement.encoder as? RowEncoder ?? RowEncoder(columns)
    statement.encoder = encoder
    return encoder
  }
}
