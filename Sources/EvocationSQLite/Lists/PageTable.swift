internal import Evocation
internal import Foundation

/// Reads and writes the table of lists on one connection: one row for each page.
///
/// A row has the ids of its page in order, as a JSON array, of which SQLite keeps the length. Nothing
/// else records what a list has. The first page that was saved has the number zero, and those before
/// it have negative numbers. A page that was dropped from the beginning keeps its row without ids,
/// for the query that it was fetched with.
///
/// A list does not show a model that is gone: its id finds nothing. The transaction that removes a
/// model also removes its id, or records that it is to be removed, so that the model does not return
/// with a later one of the same id.
struct PageTable {
  /// The pages of a list.
  struct Pages {
    let first: Int64
    let last: Int64
    /// How many ids they have together.
    let idCount: Int

    var count: Int { Int(last - first) + 1 }
  }

  static let reading = "Reading a list"
  static let writing = "Writing a list"

  /// The greatest number of a page, far from where adding to it overflows.
  private static let greatest: Int64 = 1 << 40

  let connection: Connection
  let plan: TablePlan

  init(_ connection: Connection, _ plan: TablePlan) {
    self.connection = connection
    self.plan = plan
  }

  /// Whether there is any list of the model.
  var hasLists: Bool {
    get throws {
      try connection.first(
        "SELECT 1 FROM evocation_pages WHERE model = ? LIMIT 1", [.text(plan.table)]) != nil
    }
  }

  /// Returns the pages of a list; nil if there is no such list.
  ///
  /// - Throws: `ListDamage` if their numbers are not consecutive, or a length is none.
  func pages(of list: String) throws -> Pages? {
    // Unlike `total`, `sum` fails where it overflows.
    let sql = """
      SELECT count(*), min(page), max(page), min(count), max(count), total(count) FROM \
      \(Self.counts)
      """
    return try connection.first(sql, [.text(list)], action: Self.reading) { statement in
      let count = statement.integer(at: 0)
      guard count > 0 else { return nil }
      guard case .integer(let first) = statement.value(at: 1), -Self.greatest <= first,
        case .integer(let last) = statement.value(at: 2), last <= Self.greatest
      else { throw damage("one of its pages has no valid number") }
      guard last - first == count - 1 else { throw damage("one of its pages is missing") }
      guard case .integer(0...) = statement.value(at: 3),
        case .integer(...Self.greatest) = statement.value(at: 4),
        case .real(let total) = statement.value(at: 5), let idCount = Int(exactly: total)
      else { throw damage("one of its pages has no valid length") }
      return Pages(first: first, last: last, idCount: idCount)
    }
  }

  /// The rows that count the ids of a list's pages.
  private static let counts = "evocation_pages WHERE list = ? AND count IS NOT NULL"

  /// Reads a part of a list: passes over pages by their counts, and reads models from there.
  ///
  /// The part has fewer models than its range if some are gone.
  func part<Model>(
    of list: String, in wanted: Range<Int>?, read: (SQLQuery) throws -> [Model]
  ) throws -> ListPart<Model>? {
    guard let pages = try pages(of: list) else { return nil }
    let all = 0..<pages.idCount
    let range = (wanted ?? all).clamped(to: all)
    guard !range.isEmpty else { return ListPart([], range: range, count: all.count) }
    var (page, end, skipped) = (pages.first, pages.last, 0)
    if range != all {
      var reached = 0
      (end, skipped) = (page - 1, range.lowerBound)
      let sql = "SELECT count FROM \(Self.counts) ORDER BY page"
      try connection.rows(sql, [.text(list)], action: Self.reading) { statement in
        end += 1
        reached += Int(statement.integer(at: 0))
        if reached <= range.lowerBound {
          (page, skipped) = (end + 1, range.lowerBound - reached)
        }
        return reached < range.upperBound
      }
    }
    let numbers = [page, end].map { SQLValue.integer($0) }
    let limits = [range.count, skipped].map { SQLValue.integer(Int64($0)) }
    let removed = try hasRemovals ? SQLQuery(Self.isListed, [.text(plan.table)]) : ""
    let models = try read(
      SQLQuery(selection, [.text(list)] + numbers + limits) + removed)
    return ListPart(models, range: range, count: all.count)
  }

  /// The query for the models of some ids of a list, in its order.
  private var selection: String {
    let table = plan.table.quoted
    let columns = plan.columns.map { "\(table).\($0.name.quoted)" }.joined(separator: ", ")
    // Calling a function for each id costs as much as reading a small row.
    let isPlain = plan.columns[plan.key[0]].kind == .scalar(.integer)
    let id = isPlain ? "listed.value" : "evocation_unpack(listed.value)"
    return """
      SELECT \(columns) FROM (SELECT evocation_id.value FROM evocation_pages CROSS JOIN \
      json_each(ids) AS evocation_id WHERE list = ? AND page BETWEEN ? AND ? ORDER BY page, \
      evocation_id.key LIMIT ? OFFSET ?) AS listed CROSS JOIN \(table) ON \
      \(table).\(plan.keyName.quoted) = \(id)
      """
  }

  /// Requires that an id is not one that is to leave the list.
  private static let isListed = """
     AND NOT EXISTS (SELECT 1 FROM evocation_removals AS removed WHERE removed.model = ? AND removed.id \
    = listed.value)
    """

  /// Returns the query for the models that match, and that this list has and no other.
  func surplus(of list: String, matching condition: SQLQuery) -> SQLQuery {
    let ids = "SELECT evocation_unpack(value) FROM evocation_pages, json_each(ids) WHERE"
    let key = plan.keyName.quoted
    return SQLQuery("SELECT \(plan.columnList) FROM \(plan.table.quoted) WHERE ") + condition
      + SQLQuery(
        " AND \(key) IN (\(ids) list = ?) AND \(key) NOT IN (\(ids) model = ? AND list <> ?)",
        [.text(list), .text(plan.table), .text(list)])
  }

  func damage(_ reason: String) -> ListDamage {
    ListDamage(model: plan.model, reason: reason)
  }
}
