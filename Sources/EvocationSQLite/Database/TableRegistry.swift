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

/// A table's side that does not depend on the model's type.
protocol TableOwner: AnyObject, Sendable {
  /// The model type's full name, for sentences.
  var model: String { get }

  /// Tells observers that something changed that cannot be told model by model.
  func tellUnknown()
}
