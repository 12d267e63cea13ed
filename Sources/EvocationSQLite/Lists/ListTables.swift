internal import Evocation
internal import Foundation

/// Reads and writes the tables of lists on one connection.
///
/// The first page that is saved creates them. A list is found by its tag. A replaced list has no
/// tag, and waits until its rows are deleted. The first page that was saved has the number zero,
/// and those before it have negative numbers. Pages outside of `first` and `last` were dropped, and
/// only the queries that they were fetched with are kept. On a page, items are ordered by `place`.
struct ListTables {
  /// The row of one list.
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

  /// The model's table.
  var listed: ListedTable { ListedTable(connection, plan.table) }

  /// Returns the number of a tag's list, without checking the rest of its row; nil if there is
  /// none.
  func number(_ tag: String) throws -> Int64? {
    let value = try connection.first(
      "SELECT number FROM evocation_lists WHERE tag = ?", [.text(tag)])
    guard case .integer(let number)? = value else { return nil }
    return number
  }

  /// Returns what `body` reads; nil if there are no tables of lists.
  func unlessMissing<Value>(_ body: () throws -> Value?) throws -> Value? {
    do {
      return try body()
    } catch let error as SQLiteError {
      // Checked after the failure, because the tables nearly always exist.
      guard try connection.first(Self.isThere) == nil else { throw error }
      return nil
    }
  }

  /// Reads a part of a list: skips whole pages up to its beginning, and reads models from there.
  ///
  /// - Returns: The part; nil if the list does not have as many models there as its numbers say.
  func part<Model>(
    _ row: Row, _ wanted: Range<Int>?, read: (SQLQuery) throws -> [Model]
  ) throws -> ListPart<Model>? {
    let all = 0..<Int(clamping: row.count)
    let range = (wanted ?? all).clamped(to: all)
    guard !range.isEmpty || all.isEmpty && wanted?.isEmpty != true else {
      return ListPart([], range: range, count: all.count)
    }
    // At the end of the list, one more model is requested, to check that there is none.
    let isToEnd = range.upperBound == all.upperBound
    let (page, skipped) = try start(of: range.lowerBound, row)
    let query = SQLQuery(
      selection,
      [
        .integer(row.number), .integer(page), .integer(Int64(range.count) + (isToEnd ? 1 : 0)),
        .integer(skipped),
      ])
    let found = try read(query)
    return found.count == range.count ? ListPart(found, range: range, count: all.count) : nil
  }

  /// Returns the page that contains a position of the list, and the position in that page.
  private func start(of place: Int, _ row: Row) throws -> (page: Int64, skipped: Int64) {
    var (page, skipped) = (row.first, Int64(place))
    guard skipped > 0 else { return (page, skipped) }
    try connection.rows(
      """
      SELECT page, count FROM evocation_list_pages WHERE list = ? AND page BETWEEN ? AND ? ORDER BY \
      page
      """, [.integer(row.number), .integer(row.first), .integer(row.last)], Self.reading
    ) { statement in
      guard case .integer(let next) = statement.value(at: 0),
        case .integer(let count) = statement.value(at: 1), 0...row.count ~= count
      else { throw damage("one of its pages has a count or a number that is impossible") }
      page = next
      if skipped < count { return false }
      skipped -= count
      return true
    }
    return (page, skipped)
  }

  /// The query for the models of a list's items, in the order of the list.
  private var selection: String {
    let table = plan.table.quoted
    let columns = plan.columns.map { "\(table).\($0.name.quoted)" }.joined(separator: ", ")
    return """
      SELECT \(columns) FROM evocation_list_items AS evocation_item CROSS JOIN \(table) ON \
      \(table)."id" = evocation_item.item WHERE evocation_item.list = ? AND evocation_item.page >= ? \
      ORDER BY evocation_item.page, evocation_item.place LIMIT ? OFFSET ?
      """
  }

  /// Returns the query for the models that match and that no other list has.
  func surplus(of list: Int64, matching condition: SQLQuery) -> SQLQuery {
    SQLQuery("SELECT \(plan.columnList) FROM \(plan.table.quoted) WHERE ") + condition
      + SQLQuery(
        """
         AND "id" IN (SELECT own.item FROM evocation_list_items AS own WHERE own.list = ? AND NOT \
        EXISTS (SELECT 1 FROM evocation_list_items AS other JOIN evocation_lists AS others ON \
        others.number = other.list WHERE other.item = own.item AND other.list <> own.list AND \
        others.tag IS NOT NULL AND others.model = ?))
        """, [.integer(list), .text(listed.model)])
  }
}

extension ListTables {
  static let isThere = "SELECT 1 FROM sqlite_schema WHERE name = 'evocation_lists'"

  /// Creates the tables, and the triggers that remove a deleted model from every list.
  func make() throws {
    if try connection.first(Self.isThere) == nil {
      try connection.writeFormat()
      for definition in Self.definitions { try connection.execute(definition, Self.writing) }
    }
    try listed.watch()
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
}
