internal import Evocation

/// Takes the ids of removed models out of lists.
///
/// Searching all lists for an id takes longer than removing its model, which may happen on the main
/// thread. So a removal only records the id, in the table `evocation_removals`. Whoever reads a list
/// next, or saves a page, takes the recorded ids out of all lists first. Until then no list shows the
/// model: its id finds nothing, and is passed over if the model is stored again.
extension PageTable {
  /// How many pages are searched for ids in less time than it takes to add a page.
  private static let fewPages = 50
  /// How many removed ids are recorded; searching the lists for more takes less than removing them.
  static let fewIDs = 50

  /// Returns those of the ids, as a JSON array, that a list may have; nil if there are none.
  ///
  /// Searching a long list costs more than adding a page ("append pages 2,000 and on"), and finds
  /// nothing for models that do not exist.
  func mayHave(_ ids: [SQLValue], _ pages: Pages) throws -> SQLValue? {
    if pages.count <= Self.fewPages { return .text(PackedValues.array(ids)) }
    let existing = try connection.first(
      "SELECT json_group_array(value) FROM json_each(?) AS evocation_id WHERE "
        + Self.exists(plan.table, plan.keyName),
      [.text(PackedValues.array(ids))])
    return existing == .text("[]") ? nil : existing
  }

  /// Takes ids out of a list.
  func takeOut(_ ids: SQLValue, of list: String) throws {
    try Self.takeOut(Self.isNamed, "list = ?1", values: [.text(list), ids], connection: connection)
  }

  /// Lets the ids of removed models leave all lists of the model.
  func unlist(_ ids: [SQLValue]) throws {
    let values: [SQLValue] = [.text(plan.table), .text(PackedValues.array(ids))]
    guard ids.count <= Self.fewIDs else {
      return try Self.takeOut(Self.isNamed, "model = ?1", values: values, connection: connection)
    }
    try connection.makeRemovals()
    try run(
      "INSERT OR IGNORE INTO evocation_removals SELECT ?1, value FROM json_each(?2)", values)
  }

  /// Whether ids are recorded that are still to leave lists of the model.
  var hasRemovals: Bool {
    get throws {
      try connection.hasRemovals()
        && connection.first(
          "SELECT 1 FROM evocation_removals WHERE model = ? LIMIT 1", [.text(plan.table)]) != nil
    }
  }

  /// Takes all recorded ids out of all lists.
  static func settle(_ connection: Connection) throws {
    guard try connection.hasRemovals(),
      try connection.first("SELECT 1 FROM evocation_removals LIMIT 1") != nil
    else { return }
    let removed = "EXISTS (SELECT 1 FROM evocation_removals AS removed WHERE removed.model ="
    // Few pages have the digits or the text of an id, and looking for these costs far less.
    try takeOut(
      "\(removed) evocation_pages.model AND removed.id = evocation_id.value)",
      "\(removed) evocation_pages.model AND instr(evocation_pages.ids, removed.id))",
      values: [], connection: connection)
    try connection.run("DELETE FROM evocation_removals", [], action: writing)
  }

  /// Takes those ids out of a list whose models do not exist.
  func takeOutMissing(of list: String) throws {
    try Self.takeOut(
      "NOT " + Self.exists(plan.table, plan.keyName), "list = ?1", values: [.text(list)],
      connection: connection)
  }

  /// Takes those ids out of all lists of a table whose models do not exist.
  static func takeOutMissing(
    ofTable table: String, key: String, connection: Connection
  ) throws {
    try takeOut(
      "NOT " + exists(table, key), "model = ?1", values: [.text(table)], connection: connection)
  }

  private static let isNamed = "evocation_id.value IN (SELECT value FROM json_each(?2))"

  private static func exists(_ table: String, _ key: String) -> String {
    """
    EXISTS (SELECT 1 FROM \(table.quoted) AS evocation_model WHERE \
    evocation_model.\(key.quoted) = evocation_unpack(evocation_id.value))
    """
  }

  /// Takes the ids that fulfill a condition out of some pages, and leaves the others in their order.
  private static func takeOut(
    _ condition: String, _ pages: String, values: [SQLValue], connection: Connection
  ) throws {
    let ids = "FROM json_each(evocation_pages.ids) AS evocation_id WHERE"
    try connection.run(
      """
      UPDATE evocation_pages SET ids = (SELECT json_group_array(value) FROM (SELECT \
      evocation_id.value \(ids) NOT \(condition) ORDER BY evocation_id.key)) WHERE \(pages) AND \
      EXISTS (SELECT 1 \(ids) \(condition))
      """, values, action: writing)
  }
}
