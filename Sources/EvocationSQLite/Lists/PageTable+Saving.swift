internal import Evocation
internal import Foundation

extension PageTable {
  /// Writes the row of a page.
  func insert(_ ids: [SQLValue], _ requirements: Data, at page: Int64, of list: String) throws {
    try run(
      """
      INSERT OR REPLACE INTO evocation_pages (list, page, model, ids, requirements) VALUES (?, ?, ?, \
      ?, ?)
      """,
      [
        .text(list), .integer(page), .text(plan.table), .text(PackedValues.array(ids)),
        .blob([UInt8](requirements)),
      ])
  }

  /// Adds a page at one end, drops pages beyond the limit at the opposite end, and updates the
  /// record.
  ///
  /// The record describes how the list continues there.
  func add(
    _ ids: [SQLValue], _ page: ListPage<some Sendable>, to pages: Pages,
    record: inout PageRecord?
  ) throws {
    let (list, isNext) = (page.list, page.place == .after)
    var (first, last) = (pages.first, pages.last)
    if isNext { last += 1 } else { first -= 1 }
    try insert(ids, page.requirements, at: isNext ? last : first, of: list)
    if !isNext, let before = try requirements(of: list, first - 1) {
      record?.lead(.previous, to: before)
    }
    guard let limit = page.keptPages else { return }
    while last - first >= Int64(max(1, limit)) {
      let dropped = isNext ? first : last
      record?.lead(isNext ? .previous : .next, to: try requirements(of: list, dropped))
      if isNext { first += 1 } else { last -= 1 }
      try run(
        isNext
          ? "UPDATE evocation_pages SET ids = NULL WHERE list = ? AND page = ?"
          : "DELETE FROM evocation_pages WHERE list = ? AND page = ?",
        [.text(list), .integer(dropped)])
    }
  }

  /// Returns the query that a page was fetched with; nil if there was no such page.
  private func requirements(of list: String, _ page: Int64) throws -> Data? {
    try connection.first(
      "SELECT requirements FROM evocation_pages WHERE list = ? AND page = ?",
      [.text(list), .integer(page)], action: Self.reading
    ) { $0.data(at: 0)?.bytes }
  }

  /// Keeps only the first page of a list, or deletes the list if that page was dropped.
  func cut(_ list: String) throws {
    guard let pages = try pages(of: list), pages.first <= 0, pages.last >= 0 else {
      return try delete(list)
    }
    try run("DELETE FROM evocation_pages WHERE list = ? AND page <> 0", [.text(list)])
  }

  func delete(_ list: String) throws {
    try run("DELETE FROM evocation_pages WHERE list = ?", [.text(list)])
  }

  func run(_ sql: String, _ values: [SQLValue]) throws {
    try connection.run(sql, values, action: Self.writing)
  }
}

// Takes ids out of pages.
extension PageTable {
  /// How many pages are searched for ids in less time than it takes to add a page.
  private static let fewPages = 50

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

  /// Takes ids out of all lists of the model.
  func takeOut(_ ids: [SQLValue]) throws {
    try Self.takeOut(
      Self.isNamed, "model = ?1", values: [.text(plan.table), .text(PackedValues.array(ids))],
      connection: connection)
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

extension Connection {
  /// Runs the app's SQL, and then takes the ids of models that it removed out of their lists.
  func keepingLists<Value>(_ body: () throws -> Value) throws -> Value {
    let before = totalChanges
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !isOutsideTransaction, migrating != nil || totalChanges != before,
      try hasOwnTables()
    else { return value }
    let listed = """
      SELECT found.name, min(part.name) FROM sqlite_schema AS found, pragma_table_info(found.name) AS \
      part WHERE found.type = 'table' AND part.pk > 0 AND EXISTS (SELECT 1 FROM evocation_pages WHERE \
      model = found.name) GROUP BY found.name HAVING count(*) = 1
      """
    let tables = try all(listed, [], action: "Reading the schema") { row in
      row.text(at: 0).flatMap { table in row.text(at: 1).map { (table, $0) } }
    }
    for (table, key) in tables {
      try PageTable.takeOutMissing(ofTable: table, key: key, connection: self)
    }
    return value
  }
}
