internal import CEvocationSQLite

/// The tables that a statement uses, as SQLite reports them while it prepares the statement.
///
/// A statement that deletes a row, for example, also changes what foreign keys and triggers make it
/// change, and these may start other triggers. SQLite prepares all of it together. Names are in
/// lowercase, because SQLite ignores their case.
struct StatementTables {
  /// The tables that it reads, also through views.
  private(set) var read: Set<String> = []
  /// The tables that its triggers and foreign keys change; the one that it writes itself is among them
  /// only if they change that too.
  private(set) var alsoChanged: Set<String> = []
  /// The columns that it updates, by table, with ``wholeRow`` where it deletes rows; none where it only
  /// inserts.
  private(set) var written: [String: Set<String>] = [:]
  /// Whether it changes definitions, and so may remove a table.
  private(set) var changesSchema = false
  /// Whether it may delete rows to make room for others, which SQLite does not report.
  let mayReplace: Bool

  /// What the statement itself does, which SQLite reports first: the action and the table.
  private var own: (action: Int32, table: String)?
  /// The actions of the statement itself, with their columns.
  private var ownActions: Set<String> = []

  /// Stands for all columns of a row.
  static let wholeRow = ""

  /// Begins with nothing for a statement of this text.
  init(_ sql: String) {
    mayReplace = sql.utf8.count >= 7 && sql.lowercased().contains("replace")
  }

  /// Records one action; `trigger` is the trigger that does it, which a foreign key has not.
  mutating func add(_ action: Int32, _ table: String, column: String?, trigger: String?) {
    let table = table.lowercased()
    switch action {
    case SQLITE_READ: read.insert(table)
    case SQLITE_ALTER_TABLE, SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE: changesSchema = true
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      recordWrite(action, table, column: column)
      if trigger != nil || !isOwn(action, table, column: column) { alsoChanged.insert(table) }
    default: break
    }
  }

  private mutating func recordWrite(_ action: Int32, _ table: String, column: String?) {
    if table == "sqlite_master" { changesSchema = true }
    var columns = written[table, default: []]
    if action == SQLITE_UPDATE, let column { columns.insert(column.lowercased()) }
    if action == SQLITE_DELETE { columns.insert(Self.wholeRow) }
    written[table] = columns
  }

  /// Whether the statement itself does this, which SQLite reports once for each column.
  private mutating func isOwn(_ action: Int32, _ table: String, column: String?) -> Bool {
    let own = own ?? (action, table)
    self.own = own
    // An insertion may update the row that it finds.
    guard table == own.table,
      action == own.action || (own.action, action) == (SQLITE_INSERT, SQLITE_UPDATE)
    else { return false }
    return ownActions.insert("\(action) \(column ?? "")").inserted
  }
}
