public import Evocation

/// Stores the models of one type in a table of an SQLite database.
///
/// ```swift
/// let cars = try SQLiteRepository<Car>(database, indexes: ["year"])
/// try await cars.store([Car(id: 1, year: 2002)])
/// let recent = try await cars.find(Criteria.Key("year") >= 2000).value
/// ```
///
/// The repository creates its table, with one typed column per property. A column has the name of
/// the property's coding key. The table has the type's name with a lowercase first letter, unless
/// the model, as an ``SQLiteModel``, or `table:` provides another name.
///
/// Evocation adds a column for a new property if the property is optional or has a default, or if
/// the table has no rows. It writes the defaults into existing rows. It keeps the column of a
/// removed property if rows can omit it. Every other change needs a ``SQLiteMigration``.
///
/// ## The file
///
/// The layout of the file is fixed, so you can read and write models with SQL too. <doc:SQLite> lists
/// the column of each type, and the tables of Evocation's own, which your SQL should not change. A
/// write that the outbox sends later is one transaction with its entry, which is in one of them.
/// Evocation refuses a file that a newer version wrote.
///
/// ## Execution
///
/// Finding one model by its key, and writing one, run on the caller's thread. Everything else runs
/// on a queue of the database. A call with several models is one transaction: all of them, or none.
///
/// ## Errors
///
/// Calls throw ``SQLiteError``, `EvocationError` for criteria that do not fit the model and for
/// models that already exist, and the errors of the model's own coding.
public final class SQLiteRepository<Model: Codable & Identifiable & Sendable>:
  ObservableRepository, SQLiteModelStore, PromptRepository, StoredRepository,
  TransactionalRepository, ListStore, OutboxStore, InspectedLocal
{
  /// The database that contains the table.
  public let database: SQLiteDatabase

  /// Identifies the table in its file; nil in memory.
  public var storeName: String? { database.path.map { "\($0)\n\(table.plan.table)" } }

  let table: ModelTable<Model>
  let hub: ChangeHub<Model>

  /// Whether the outbox had entries or versions of the table when the repository was created.
  public let heldEntries: Bool

  /// Creates the repository, and its table and indexes if they are missing.
  ///
  /// It waits for a running write on the database. If the file is up to date, it only reads, so it
  /// does not wait for another process that writes. It throws ``SQLiteError`` with the code `misuse`
  /// if you call it inside a closure or an observer's handler that holds the database's writer, for
  /// which it would wait forever.
  ///
  /// - Parameters:
  ///   - database: The database that contains the table.
  ///   - table: The table's name; nil for the name that the model provides as an ``SQLiteModel``,
  ///     or else the type's name with a lowercase first letter.
  ///   - key: The coding keys that form the model's id; nil for those that the model provides, or
  ///     else the key under which the model encodes its id.
  ///   - indexes: The indexes of the table; nil for those that the model provides, or else none.
  ///   - onUnreadable: What reads of many models do with a row that the model type cannot decode:
  ///     throw, or leave it out. A read by its id always throws.
  /// - Throws: `EvocationError.unmappable` or `EvocationError.unknownKey` for a model, a key or an
  ///   index that does not fit a table. ``SQLiteError`` with the code `schemaMismatch` if a table
  ///   of this name has columns that do not fit, or belongs to another model type, with
  ///   `constraint` if its rows violate a unique index, and with `misuse` if the name is not
  ///   allowed.
  public init(
    _ database: SQLiteDatabase, table: String? = nil, key: [Criteria.Key]? = nil,
    indexes: [SQLiteIndex]? = nil,
    onUnreadable: SQLiteDatabase.UnreadableRow.Policy = .refuse
  ) throws {
    let declared = Model.self as? any SQLiteModel.Type
    let indexes = indexes ?? declared?.indexes ?? []
    let plan = try TablePlan(
      schema: ModelSchema.of(Model.self), table: table ?? declared?.table,
      key: key ?? declared?.key ?? TablePlan.defaultKey(of: Model.self),
      isDeclared: declared != nil
    ).indexed(by: indexes)
    self.database = database
    let table = try ModelTable<Model>(plan, leavesOutUnreadable: onUnreadable == .leaveOut)
    self.table = table
    let definition = try TableDefinition(plan: plan, indexes: indexes)
    let action = "Making the repository of the table \(plan.table.quoted)"
    (hub, heldEntries) = try database.blocking(action) { connection in
      let hub = try Self.hub(plan, database, connection: connection)
      try table.make(definition, connection)
      if let others = connection.takeAlsoChanged() {
        database.tellUnknown(others, version: connection.version)
      }
      let heldEntries = try connection.snapshot { try table.hasEntries(EntryStore($0, database)) }
      // The writer is still held, so that no other repository takes the table in between.
      let observers = database.tables.withLock {
        $0.register(hub, of: plan.table, problem: table.problem)
      }
      observers?.tellUnknown(version: connection.version)
      return (hub, heldEntries)
    }
  }

  /// Calls the handler after each commit that changed the table, in the order of the commits.
  ///
  /// It reports the writes of every repository of the same table and database. Any commit of
  /// another connection or process is reported as an unknown change. Evocation notices it within
  /// about 20 ms, on Apple's systems within about 100 ms.
  public func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    let observation = hub.changes.observe(handler)
    let watching = database.watch.begin()
    return Evocation.Observation {
      observation.cancel()
      watching?.cancel()
    }
  }

  /// Returns the table's hub, which repositories of one type share; throws for another type.
  private static func hub(
    _ plan: TablePlan, _ database: SQLiteDatabase, connection: Connection
  ) throws -> ChangeHub<Model> {
    guard let owner = database.tables.withLock({ $0[plan.table] }) else { return ChangeHub() }
    guard let hub = owner as? ChangeHub<Model> else {
      throw SQLiteError(
        .schemaMismatch,
        "Using the table \(plan.table.quoted) of \(connection.file) for "
          + "\(String(reflecting: Model.self)) failed: it already belongs to \(owner.model); give "
          + "one of them another name with table:.")
    }
    return hub
  }
}
