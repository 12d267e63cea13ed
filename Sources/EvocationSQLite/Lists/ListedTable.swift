internal import Evocation

/// A model's table, as far as lists have to know what leaves it.
///
/// Triggers take a removed model out of every list. They are not called for what `REPLACE` removes to
/// make room, and go with a table that is made anew; what was removed in such a way is taken out of
/// the lists by ``takeOutMissing()``.
struct ListedTable {
  private let connection: Connection
  private let name: String

  init(_ connection: Connection, _ name: String) {
    self.connection = connection
    self.name = name
  }

  /// By which the model's lists are told from those of others.
  var model: String { name.lowercased() }

  /// Makes the triggers where they are missing; what left the table meanwhile leaves the lists.
  func watch() throws {
    let missing = try missingTriggers()
    guard !missing.isEmpty else { return }
    try make(missing)
    try takeOutMissing()
  }

  /// Makes the triggers where they are missing, and takes out of the lists what left the table.
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
      // One of this name may have gone along with a table that was given another.
      try connection.execute(
        "DROP TRIGGER IF EXISTS \(trigger.name.quoted)", ListTables.writing)
      try connection.execute(trigger.definition, ListTables.writing)
    }
  }

  /// Does the same in a file that may have no lists of this model.
  func watchIfListed() throws {
    guard try connection.first(ListTables.isThere) != nil,
      try connection.first(
        "SELECT 1 FROM evocation_lists WHERE model = ? LIMIT 1", [.text(model)]) != nil
    else { return }
    try watch()
  }

  /// Takes out of the lists what is not in the table, and counts anew if there was any.
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

  /// A plus takes the column's affinity away, because the items have none, and an index only serves
  /// a comparison without conversions.
  private var triggers: [Trigger] {
    let (old, new) = ("+OLD.\"id\"", "+NEW.\"id\"")
    return [
      trigger("", "AFTER DELETE", "TRUE", removal(of: old)),
      // A model that comes, and is not to be found in the table, left it without a word.
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

  /// What takes an item out of this model's lists.
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
