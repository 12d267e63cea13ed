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
