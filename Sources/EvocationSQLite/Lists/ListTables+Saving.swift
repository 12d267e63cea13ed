internal import Evocation
internal import Foundation

extension ListTables {
  /// Replaces the list of a tag with an empty one.
  ///
  /// Returns the number of the old list, whose rows still exist.
  func replace(_ tag: String) throws -> (old: Int64?, new: Row) {
    let old = try number(tag)
    if let old { try giveUp(old) }
    try connection.run(
      "INSERT INTO evocation_lists (tag, model, count, first, last) VALUES (?, ?, 0, 0, -1)",
      [.text(tag), .text(listed.model)], Self.writing)
    guard let new = try number(tag) else { throw CacheError.noCache(tag: tag) }
    // Rows may be left under this number if the app's SQL has changed a list's number.
    for table in ["evocation_list_items", "evocation_list_pages"] {
      try connection.run("DELETE FROM \(table) WHERE list = ?", [.integer(new)], Self.writing)
    }
    return (old, Row(number: new, count: 0, first: 0, last: -1))
  }

  /// Removes a list's tag.
  ///
  /// ``sweep(pages:)`` then deletes its rows.
  func giveUp(_ list: Int64) throws {
    try connection.run(
      "UPDATE evocation_lists SET tag = NULL WHERE number = ?", [.integer(list)], Self.writing)
  }

  /// Adds a page at one end, drops pages beyond the limit at the opposite end, and updates the
  /// record.
  ///
  /// The record describes how the list continues there.
  func add(
    _ items: [SQLValue], _ requirements: Data, _ direction: PageDirection, keeping limit: Int?,
    to row: inout Row, _ record: inout PageRecord?
  ) throws {
    for item in items { try take(item, from: &row) }
    let page = direction == .next ? row.last + 1 : row.first - 1
    if direction == .next { row.last = page } else { row.first = page }
    for (place, item) in items.enumerated() {
      try connection.run(
        "INSERT OR REPLACE INTO evocation_list_items (list, page, place, item) VALUES (?, ?, ?, ?)",
        [.integer(row.number), .integer(page), .integer(Int64(place)), item], Self.writing)
    }
    row.count += Int64(items.count)
    try connection.run(
      """
      INSERT OR REPLACE INTO evocation_list_pages (list, page, count, requirements) VALUES (?, ?, ?, \
      ?)
      """,
      [
        .integer(row.number), .integer(page), .integer(Int64(items.count)),
        .blob([UInt8](requirements)),
      ], Self.writing)
    if direction == .previous, let before = try asked(row, page - 1) {
      record?.lead(.previous, to: before)
    }
    while let limit, row.last - row.first >= Int64(max(1, limit)) {
      try drop(direction, &row, &record)
    }
    try connection.run(
      "UPDATE evocation_lists SET count = ?, first = ?, last = ? WHERE number = ?",
      [.integer(row.count), .integer(row.first), .integer(row.last), .integer(row.number)],
      Self.writing)
  }

  /// Keeps only the first page; false if it was dropped before.
  func cut(_ row: Row) throws -> Bool {
    try check(row)
    guard row.first <= 0, row.last >= 0 else { return false }
    for table in ["evocation_list_items", "evocation_list_pages"] {
      try connection.run(
        "DELETE FROM \(table) WHERE list = ? AND page <> 0", [.integer(row.number)], Self.writing)
    }
    try connection.run(
      """
      UPDATE evocation_lists SET first = 0, last = 0, count = (SELECT count FROM evocation_list_pages \
      WHERE list = number AND page = 0) WHERE number = ?
      """, [.integer(row.number)], Self.writing)
    return true
  }

  /// Removes an item from the list, if it is there.
  private func take(_ item: SQLValue, from row: inout Row) throws {
    let list = SQLValue.integer(row.number)
    let page = try connection.first(
      "SELECT page FROM evocation_list_items WHERE item = ? AND list = ?", [item, list])
    guard let page else { return }
    row.count -= 1
    try connection.run(
      "DELETE FROM evocation_list_items WHERE item = ? AND list = ?", [item, list], Self.writing)
    try connection.run(
      "UPDATE evocation_list_pages SET count = count - 1 WHERE list = ? AND page = ?",
      [list, page], Self.writing)
  }

  /// Drops the page at the opposite end, and keeps the query that it was fetched with.
  private func drop(
    _ direction: PageDirection, _ row: inout Row, _ record: inout PageRecord?
  ) throws {
    let page = direction == .next ? row.first : row.last
    let place: [SQLValue] = [.integer(row.number), .integer(page)]
    if case .integer(let count)? = try connection.first(
      "SELECT count FROM evocation_list_pages WHERE list = ? AND page = ?", place)
    {
      row.count -= count
    }
    try connection.run(
      "DELETE FROM evocation_list_items WHERE list = ? AND page = ?", place, Self.writing)
    record?.lead(direction == .next ? .previous : .next, to: try asked(row, page))
    guard direction == .previous else {
      row.first += 1
      return
    }
    row.last -= 1
    try connection.run(
      "DELETE FROM evocation_list_pages WHERE list = ? AND page = ?", place, Self.writing)
  }

  /// Returns the query that a page was fetched with; nil if there was no such page.
  private func asked(_ row: Row, _ page: Int64) throws -> Data? {
    let value = try connection.first(
      "SELECT requirements FROM evocation_list_pages WHERE list = ? AND page = ?",
      [.integer(row.number), .integer(page)])
    guard case .blob(let bytes)? = value else { return nil }
    return Data(bytes)
  }

  /// Deletes this many pages of replaced lists; false if no rows are left.
  func sweep(pages count: Int64) throws -> Bool {
    guard
      case .integer(let list)? = try connection.first(
        "SELECT number FROM evocation_lists WHERE tag IS NULL LIMIT 1")
    else { return false }
    var pages: [SQLValue] = []
    try connection.rows(
      "SELECT page FROM evocation_list_pages WHERE list = ? LIMIT ?",
      [.integer(list), .integer(count)], Self.reading
    ) { statement in
      pages.append(statement.value(at: 0))
      return true
    }
    for page in pages {
      for table in ["evocation_list_items", "evocation_list_pages"] {
        try connection.run(
          "DELETE FROM \(table) WHERE list = ? AND page IS ?", [.integer(list), page],
          Self.writing)
      }
    }
    guard pages.isEmpty else { return true }
    // These items are on pages for which the list has no row.
    try connection.run(
      "DELETE FROM evocation_list_items WHERE list = ?", [.integer(list)], Self.writing)
    try connection.run(
      "DELETE FROM evocation_lists WHERE number = ?", [.integer(list)], Self.writing)
    return true
  }
}
