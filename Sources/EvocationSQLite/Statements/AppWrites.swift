/// What statements of the app may have written in a transaction.
struct AppWrites {
  /// The columns that were updated, by table, with ``StatementTables/wholeRow`` where rows were
  /// deleted; nil if any table may lack rows, as after a change of the schema.
  private(set) var columns: [String: Set<String>]? = [:]
  /// Whether a statement may have deleted rows to make room for others.
  private(set) var mayReplace = false
  /// The last statement, which often runs many times.
  private(set) var last: Statement?

  /// Adds what a statement writes; nil if that is unknown.
  mutating func add(_ tables: StatementTables?, of statement: Statement) {
    last = statement
    guard let tables, !tables.changesSchema else { return columns = nil }
    columns?.merge(tables.written) { $0.union($1) }
    if tables.mayReplace { mayReplace = true }
  }
}
