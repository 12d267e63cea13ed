internal import Evocation
internal import Foundation

/// The tables of lists as one connection reads and writes them.
///
/// A file has them from the first page on. A list is found by its tag; one that was replaced has
/// none any more, and waits for its rows to be deleted. Its pages are numbered from zero for the first
/// that was saved, downward before it, and those outside of `first` and `last` were dropped: of
/// them it is known only what they were asked for with. Within a page, items are in order of place.
struct ListTables {
  /// One list's row.
  struct Row {
    let number: Int64
    var count: Int64
    var first: Int64
    var last: Int64
  }

  static let reading = "Reading a list"
  static let writing = "Writing a list"

  let connection: Connection
  let plan: TablePlan

  init(_ connection: Connection, _ plan: TablePlan) {
    self.connection = connection
    self.plan = plan
  }

  /// The model's table, by which its lists are told from those of others.
  var table: String { plan.table.lowercased() }

  /// The list of a tag; nil when there is none.
  func row(_ tag: String) throws -> Row? {
    var row: Row?
    try connection.rows(
      "SELECT number, count, first, last FROM evocation_lists WHERE tag = ?", [.text(tag)],
      Self.reading
    ) { statement in
      row = Row(
        number: statement.integer(at: 0), count: statement.integer(at: 1),
        first: statement.integer(at: 2), last: statement.integer(at: 3))
      return false
    }
    return row
  }

  /// What `body` reads; nil when there were never any lists.
  func unlessMissing<Value>(_ body: () throws -> Value?) throws -> Value? {
    do {
      return try body()
    } catch let error as SQLiteError {
      // Asked for only now, because the tables are nearly always there.
      guard try connection.first(Self.isThere) == nil else { throw error }
      return nil
    }
  }

  /// Reads a part of a list, page by page to its beginning, and from there model by model.
  func part<Model>(
    _ row: Row, _ wanted: Range<Int>?, _ models: ModelTable<Model>
  ) throws -> ListPart<Model> {
    let all = 0..<Int(row.count)
    let range = (wanted ?? all).clamped(to: all)
    guard !range.isEmpty else { return ListPart([], range: range, count: all.count) }
    var (page, skipped) = (row.first, Int64(range.lowerBound))
    if skipped > 0 {
      try connection.rows(
        """
        SELECT page, count FROM evocation_list_pages WHERE list = ? AND page BETWEEN ? AND ? ORDER BY \
        page
        """, [.integer(row.number), .integer(row.first), .integer(row.last)], Self.reading
      ) { statement in
        page = statement.integer(at: 0)
        let count = statement.integer(at: 1)
        if skipped < count { return false }
        skipped -= count
        return true
      }
    }
    let query = SQLQuery(
      selection,
      [.integer(row.number), .integer(page), .integer(Int64(range.count)), .integer(skipped)])
    return ListPart(try models.read(query, connection), range: range, count: all.count)
  }

  /// Reads models by the items of a list, which lie in the list's order.
  private var selection: String {
    let table = plan.table.quoted
    let columns = plan.columns.map { "\(table).\($0.name.quoted)" }.joined(separator: ", ")
    return """
      SELECT \(columns) FROM evocation_list_items AS evocation_item CROSS JOIN \(table) ON \
      \(table)."id" = evocation_item.item WHERE evocation_item.list = ? AND evocation_item.page >= ? \
      ORDER BY evocation_item.page, evocation_item.place LIMIT ? OFFSET ?
      """
  }

  /// Reads the models that match, and that a list alone has.
  func surplus(of list: Int64, matching condition: SQLQuery) -> SQLQuery {
    SQLQuery("SELECT \(plan.columnList) FROM \(plan.table.quoted) WHERE ") + condition
      + SQLQuery(
        """
         AND "id" IN (SELECT own.item FROM evocation_list_items AS own WHERE own.list = ? AND NOT \
        EXISTS (SELECT 1 FROM evocation_list_items AS other JOIN evocation_lists AS others ON \
        others.number = other.list WHERE other.item = own.item AND other.list <> own.list AND \
        others.tag IS NOT NULL AND others.model = ?))
        """, [.integer(list), .text(table)])
  }
}

extension ListTables {
  private static let isThere = "SELECT 1 FROM sqlite_schema WHERE name = 'evocation_lists'"

  /// Makes the tables, and the trigger by which a removed model leaves every list.
  func make() throws {
    let trigger = "evocation_listed_\(table)"
    let known = try connection.first(
      "SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(trigger)])
    guard known == nil else { return }
    if try connection.first(Self.isThere) == nil {
      try connection.writeFormat()
      for definition in Self.definitions { try connection.execute(definition, Self.writing) }
    }
    try connection.execute(triggerDefinition(trigger), Self.writing)
  }

  private static let definitions = [
    """
    CREATE TABLE IF NOT EXISTS evocation_lists (number INTEGER PRIMARY KEY, tag TEXT UNIQUE, model \
    TEXT NOT NULL, count INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_list_pages (list INTEGER NOT NULL, page INTEGER NOT NULL, \
    count INTEGER NOT NULL, requirements BLOB NOT NULL, PRIMARY KEY (list, page)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_list_items (list INTEGER NOT NULL, page INTEGER NOT NULL, \
    place INTEGER NOT NULL, item NOT NULL, PRIMARY KEY (list, page, place)) WITHOUT ROWID
    """,
    """
    CREATE UNIQUE INDEX IF NOT EXISTS evocation_list_items_item ON evocation_list_items (item, list)
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_list_drafts (tag TEXT NOT NULL, page INTEGER NOT NULL, \
    requirements BLOB NOT NULL, models BLOB NOT NULL, draft BLOB NOT NULL, PRIMARY KEY (tag, page))
    """,
  ]

  /// A plus takes the column's affinity away, because the items have none, and an index only serves
  /// a comparison without conversions.
  private func triggerDefinition(_ name: String) -> String {
    let items = "SELECT list FROM evocation_list_items WHERE item = +OLD.\"id\""
    let own = "(SELECT number FROM evocation_lists WHERE model = \(table.literal))"
    return """
      CREATE TRIGGER IF NOT EXISTS \(name.quoted) AFTER DELETE ON \(plan.table.quoted) BEGIN UPDATE \
      evocation_lists SET count = count - 1 WHERE number IN (\(items)) AND model = \(table.literal); \
      UPDATE evocation_list_pages SET count = count - 1 WHERE (list, page) IN (SELECT list, page FROM \
      evocation_list_items WHERE item = +OLD."id" AND list IN \(own)); DELETE FROM \
      evocation_list_items WHERE item = +OLD."id" AND list IN \(own); END
      """
  }
}
