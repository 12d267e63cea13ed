/// Which model type each table belongs to, and who wants to know of its changes.
struct TableRegistry {
  private var tables: [String: any TableOwner] = [:]

  /// All tables that a repository was made for.
  var all: [any TableOwner] { Array(tables.values) }

  /// The owner of a table; SQLite takes names that differ in case only for the same.
  subscript(table: String) -> (any TableOwner)? {
    get { tables[table.lowercased()] }
    set { tables[table.lowercased()] = newValue }
  }
}
