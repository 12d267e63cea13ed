public import Evocation

/// Models of one type in a table of an SQLite database.
///
/// ```swift
/// let cars = try SQLiteRepository<Car>(database, indexes: ["year"])
/// try await cars.store([Car(id: 1, year: 2002)])
/// let recent = try await cars.find(Criteria.Key("year") >= 2000).value
/// ```
///
/// The table is made on first use, with one typed column a property, named as the property is
/// coded. It is called like the type, beginning with a small letter, unless the model, as an
/// ``SQLiteModel``, or `table:` says otherwise.
///
/// A new property becomes a new column by itself if it is optional or has a default, or as long as
/// there are no rows; defaults are written into the rows there. The column of a property that is gone is left alone as long as rows can do
/// without it. Whatever else changes is a ``SQLiteMigration``.
///
/// ## Columns
///
/// What lies in the file is fixed, so that it can be read and written with SQL too:
///
/// | property | column | holds |
/// |---|---|---|
/// | Booleans, whole numbers | `INTEGER` | the number, 0 or 1 |
/// | `UInt`, `UInt64` | `INT` | the number; above `Int64.max` its eight bytes, the greatest first |
/// | `Double`, `Float` | `REAL` | the number; NaN as the blob `NaN` |
/// | text, `URL`, enums with raw text | `TEXT` | the text, NUL included |
/// | `Date` | `REAL` | the seconds since 2001-01-01 00:00 UTC |
/// | `UUID` | `BLOB` | its 16 bytes |
/// | `Data` | `BLOB` | the bytes |
/// | `Decimal` | `TEXT COLLATE evocation_decimal` | the digits, compared by value |
/// | everything else | `TEXT` | JSON with sorted keys, as `JSONEncoder` makes it |
///
/// Nil is `NULL`. In JSON, dates are numbers, data is base64, and NaN and the infinities are `"nan"`,
/// `"inf"` and `"-inf"`. SQLite keeps no sign with zero.
///
/// ## Outbox
///
/// A write that the outbox sends later is one transaction with its entry. The first one makes the
/// tables, which lie in the same file and whose form is fixed too. `evocation_entries` has a row for each
/// entry of any model:
///
/// | column | holds |
/// |---|---|
/// | `position` | where the entry stands; those with lower numbers are older |
/// | `queue` | the number of the model's table in `evocation_queues` |
/// | `key` | the model's id as text: digits, or text after an apostrophe |
/// | `id` | the entry's id, which is also its idempotency key |
/// | `kind` | 0 `store`, 1 `update`, 2 `storeOrUpdate`, 3 `remove` |
/// | `queuedAt` | when the write was made |
/// | `model`, `base`, `seen` | the model, what the write was made on, and what the remote has, as JSON |
/// | `version` | the service's version of `base` |
/// | `state` | `NULL` pending, 1 waiting, 2 parked, 3 unreadable |
/// | `until`, `since`, `failure`, `reason`, `attempts` | what the state has to say |
/// | `flags` | 1 an attempt may have reached the remote, 2 it refers to others, 4 and 8 about `seen` |
/// | `lookup` | finds the entries of a model; `NULL` for up to 1,023 last ones, which the writer knows |
///
/// `evocation_outbox` has one row: the version of these tables, whether sending waits for a sign-in,
/// which process sends until when, and how many entries have a `lookup`. `evocation_references` finds
/// entries by what they refer to, `evocation_renamings` says which ids the service has replaced,
/// `evocation_versions` which version a row has, and `evocation_services` who asked to be left alone. An
/// entry of which the present app can make nothing stays in its row, and is given as
/// `Outbox.UnreadableEntry`. A file whose outbox was written by a newer version is not opened; one of an
/// earlier version is brought into this form when it is opened, in one transaction.
///
/// ## Execution
///
/// Finding one model by its key, and writing one, run on the caller's thread; everything else on
/// a queue of the database. A call with several models is one transaction: all of them, or none.
///
/// ## Errors
///
/// ``SQLiteError``; `EvocationError` for criteria that do not fit the model, and for
/// models that are there already; what the model's own coding throws.
public final class SQLiteRepository<Model: Codable & Identifiable & Sendable>:
  ObservableRepository
{
  /// The database that holds the table.
  public let database: SQLiteDatabase

  /// The table in its file; nil in memory.
  public var storeName: String? { database.path.map { "\($0)\n\(table.plan.table)" } }

  let table: ModelTable<Model>
  let hub: ChangeHub<Model>

  /// Whether the queue had entries when the repository was made.
  public let heldEntries: Bool

  /// Makes the repository, and its table and indexes where they are missing.
  ///
  /// It waits for a write that is running on the database. Within a closure or an observer's handler
  /// that has the writer, which it would wait for, it throws ``SQLiteError`` with the code `misuse`.
  ///
  /// - Parameters:
  ///   - database: The database that holds the table.
  ///   - table: The table's name, or nil for what the model says as an ``SQLiteModel``, or else the
  ///     type's name with a small first letter.
  ///   - key: The coding keys that the model's id is made of, or nil for what the model says, or
  ///     else `id`.
  ///   - indexes: The indexes that the table shall have, or nil for what the model says, or else
  ///     none.
  /// - Throws: `EvocationError.unmappable` for a model that cannot be a table, ``SQLiteError`` with
  ///   the code `schemaMismatch` when a table of this name is there with columns that do not fit, or
  ///   was taken by another model type, and `constraint` when its rows break a unique constraint.
  public init(
    _ database: SQLiteDatabase, table: String? = nil, key: [Criteria.Key]? = nil,
    indexes: [SQLiteIndex]? = nil
  ) throws {
    let declared = Model.self as? any SQLiteModel.Type
    let plan = try TablePlan(
      schema: ModelSchema.of(Model.self), table: table ?? declared?.table,
      key: key ?? declared?.key ?? ["id"])
    self.database = database
    let table = try ModelTable<Model>(plan)
    self.table = table
    let queueName = plan.table.lowercased()
    let definition = try TableDefinition(
      plan: plan, indexes: indexes ?? declared?.indexes ?? [])
    let action = "Making the repository of the table \(plan.table.quoted)"
    (hub, heldEntries) = try database.blocking(action) { connection in
      let (hub, heldEntries) = try connection.transaction { connection in
        let hub = try Self.hub(plan, database, connection)
        let added = try definition.apply(to: connection) {
          // What lists of changes have said of the models is not in the table, or not all of it.
          try FetchTable(connection).forgetMarks()
        }
        try table.fill(added, connection)
        try ListedTable(connection, plan.table).watchIfListed()
        let store = EntryStore(connection, database)
        let holds = try store.hasEntries(of: queueName) || store.knowsVersions(of: queueName)
        store.keep()
        return (hub, holds)
      }
      // Still with the writer, so that nobody else takes the table meanwhile.
      database.tables.withLock { $0[plan.table] = hub }
      return (hub, heldEntries)
    }
  }

  /// Calls the handler after each commit that touched the table, in the order of the commits.
  ///
  /// Every repository of the same table and database is told, whichever of them wrote. That another
  /// connection or process has committed, to whichever table, is told as unknown within about 20 ms; on
  /// Apple's systems within about 100 ms, because there no file is opened to be watched; and within half
  /// a second where the system does not let files be watched.
  public func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    let observation = hub.observe(handler)
    let watching = database.watch.begin()
    return Evocation.Observation {
      observation.cancel()
      watching?.cancel()
    }
  }

  /// Gives the table's hub, which repositories of one type share, or refuses another type.
  private static func hub(
    _ plan: TablePlan, _ database: SQLiteDatabase, _ connection: Connection
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
