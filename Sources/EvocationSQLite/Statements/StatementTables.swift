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

  /// What the statement itself does, which SQLite reports first: the action and the table.
  private var own: (action: Int32, table: String)?
  /// The actions of the statement itself, with their columns.
  private var ownActions: Set<String> = []

  /// Records one action; `trigger` is the trigger that does it, which a foreign key has not.
  mutating func add(_ action: Int32, _ table: String, column: String?, trigger: String?) {
    let table = table.lowercased()
    switch action {
    case SQLITE_READ: read.insert(table)
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      if trigger != nil || !isOwn(action, table, column: column) { alsoChanged.insert(table) }
    default: break
    }
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
