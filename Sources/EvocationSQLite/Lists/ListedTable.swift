internal import Evocation

/// A model's table, watched for models that are removed while they are in lists.
///
/// Triggers remove a deleted model from every list. They do not run for rows that `REPLACE`
/// removes, and are lost when the table is dropped and recreated. ``takeOutMissing()`` removes the
/// models from lists that were deleted in such a way.
struct ListedTable {
  private let connection: Connection
  private let name: String

  init(_ connection: Connection, _ name: String) {
    self.connection = connection
    self.name = name
  }

  /// Identifies the lists of this model.
  var model: String { name.lowercased() }

  /// Creates missing triggers.
  ///
  /// If there were any, it then removes deleted models from the lists.
  func watch() throws {
    let missing = try missingTriggers()
    guard !missing.isEmpty else { return }
    try make(missing)
    try takeOutMissing()
  }

  /// Creates missing triggers, and removes deleted models from the lists in any case.
  func update() throws {
    try make(missingTriggers())
    try takeOutMissing()
  }

  private func missingTriggers() throws -> [Trigger] {
    try triggers.filter { trigger in
      let table = try connection.first(
        "SELECT tbl_name FROM sqlite_schema WHERE type = 'trigger' AND name = ?",
        [.text(trigger.name)])
      guard case .text(let table)? = table else { return true }
      return table.lowercased() != model
    }
  }

  private func make(_ triggers: [Trigger]) throws {
    for trigger in triggers {
      // A renamed table keeps its triggers, so one with this name may belong to another table.
      try connection.execute(
        "DROP TRIGGER IF EXISTS \(trigger.name.quoted)", ListTables.writing)
      try connection.execute(trigger.definition, ListTables.writing)
    }
  }

  /// Does the same as `watch()`, for a file that may have no lists of this model.
  func watchIfListed() throws {
    guard try connection.first(ListTables.isThere) != nil,
      try connection.first(
        "SELECT 1 FROM evocation_lists WHERE model = ? LIMIT 1", [.text(model)]) != nil
    else { return }
    try watch()
  }

  /// Removes items that are not in the table; if there were any, counts the lists again.
  func takeOutMissing() throws {
    let lists = "(SELECT number FROM evocation_lists WHERE model = ?)"
    let table = name.quoted
    try run(
      """
      DELETE FROM evocation_list_items WHERE list IN \(lists) AND NOT EXISTS (SELECT 1 FROM \(table) \
      WHERE \(table)."id" = evocation_list_items.item)
      """)
    guard connection.changes > 0 else { return }
    try run(
      """
      UPDATE evocation_list_pages SET count = (SELECT count(*) FROM evocation_list_items AS own WHERE \
      own.list = evocation_list_pages.list AND own.page = evocation_list_pages.page) WHERE list IN \
      \(lists)
      """)
    try run(
      """
      UPDATE evocation_lists SET count = (SELECT count(*) FROM evocation_list_items WHERE list = \
      number) WHERE model = ?
      """)
  }

  private func run(_ sql: String) throws {
    try connection.run(sql, [.text(model)], ListTables.writing)
  }

  private struct Trigger {
    let name: String
    let definition: String
  }

  /// The triggers of the table.
  ///
  /// A plus removes the column's affinity. Items have none, and SQLite uses an index only if no
  /// conversion is needed.
  private var triggers: [Trigger] {
    let (old, new) = ("+OLD.\"id\"", "+NEW.\"id\"")
    return [
      trigger("", "AFTER DELETE", "TRUE", removal(of: old)),
      // A listed model that is inserted was removed before without running the trigger.
      trigger(
        "_insert", "BEFORE INSERT",
        """
        EXISTS (SELECT 1 FROM evocation_list_items WHERE item = \(new)) AND NOT EXISTS (SELECT 1 FROM \
        \(name.quoted) WHERE "id" = NEW."id")
        """, removal(of: new)),
      trigger(
        "_update", "AFTER UPDATE OF \"id\"", "OLD.\"id\" IS NOT NEW.\"id\"",
        removal(of: old) + removal(of: new)),
    ]
  }

  private func trigger(
    _ suffix: String, _ event: String, _ condition: String, _ statements: String
  ) -> Trigger {
    let trigger = "evocation_listed_\(model)\(suffix)"
    return Trigger(
      name: trigger,
      definition:
        "CREATE TRIGGER \(trigger.quoted) \(event) ON \(name.quoted) WHEN \(condition) BEGIN "
        + "\(statements)END")
  }

  /// Returns the SQL that removes an item from this model's lists.
  private func removal(of item: String) -> String {
    let items = "SELECT list FROM evocation_list_items WHERE item = \(item)"
    let own = "(SELECT number FROM evocation_lists WHERE model = \(model.literal))"
    return """
      UPDATE evocation_lists SET count = count - 1 WHERE number IN (\(items)) AND model = \
      \(model.literal); UPDATE evocation_list_pages SET count = count - 1 WHERE (list, page) IN (SELECT \
      list, page FROM evocation_list_items WHERE item = \(item) AND list IN \(own)); DELETE FROM \
      evocation_list_items WHERE item = \(item) AND list IN \(own); 
      """
  }
}
