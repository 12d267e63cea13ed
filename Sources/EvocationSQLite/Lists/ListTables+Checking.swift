internal import Evocation

/// Checks the stored numbers of lists, because a file may have any content.
extension ListTables {
  /// The limit of pages and models of a list.
  ///
  /// Sums and differences below it cannot overflow.
  private static let most: Int64 = 1 << 40

  /// Returns the list of a tag; nil if there is none.
  ///
  /// - Throws: `ListDamage` if its numbers, or its first and last page, cannot belong to a list.
  func row(_ tag: String) throws -> Row? {
    var values: [SQLValue] = []
    try connection.rows(
      """
      SELECT number, count, first, last, EXISTS (SELECT 1 FROM evocation_list_pages WHERE list = \
      number AND page = first) AND EXISTS (SELECT 1 FROM evocation_list_pages WHERE list = number AND \
      page = last) AND NOT EXISTS (SELECT 1 FROM evocation_list_pages WHERE list = number AND page > \
      last) FROM evocation_lists WHERE tag = ?
      """, [.text(tag)], Self.reading
    ) { statement in
      values = (0..<5).map { statement.value(at: $0) }
      return false
    }
    guard !values.isEmpty else { return nil }
    guard case .integer(let number) = values[0], case .integer(let count) = values[1],
      case .integer(let first) = values[2], case .integer(let last) = values[3]
    else { throw damage("one of its numbers is not a number") }
    guard 0...Self.most ~= count, -Self.most...Self.most ~= first,
      first...(first + Self.most) ~= last
    else {
      throw damage("its record names \(count) models on the pages from \(first) to \(last)")
    }
    guard values[4] == .integer(1) else {
      throw damage("its pages are not the ones from \(first) to \(last)")
    }
    return Row(number: number, count: count, first: first, last: last)
  }

  /// Compares a list's numbers with those of its pages.
  ///
  /// - Throws: `ListDamage` if they disagree.
  func check(_ row: Row) throws {
    // The sum is a floating-point number, because whole numbers might overflow.
    let agrees = try connection.first(
      """
      SELECT count(*) = ? AND total(count) = ? AND min(count) >= 0 FROM evocation_list_pages WHERE \
      list = ? AND page BETWEEN ? AND ?
      """,
      [
        .integer(row.last - row.first + 1), .integer(row.count), .integer(row.number),
        .integer(row.first), .integer(row.last),
      ])
    guard agrees == .integer(1) else {
      throw damage("its pages do not have the \(row.count) models that its record names")
    }
  }

  /// Removes items from a list that are not in the model's table, and then checks its numbers.
  ///
  /// - Throws: `ListDamage` if they still disagree.
  func mend(_ tag: String) throws {
    try listed.takeOutMissing()
    guard let row = try row(tag) else { return }
    try check(row)
    let other = try connection.first(
      """
      SELECT 1 FROM evocation_list_pages AS own WHERE own.list = ? AND own.page BETWEEN ? AND ? AND \
      own.count <> (SELECT count(*) FROM evocation_list_items AS item WHERE item.list = own.list AND \
      item.page = own.page) LIMIT 1
      """, [.integer(row.number), .integer(row.first), .integer(row.last)])
    if other != nil {
      throw damage("one of its pages does not have the models that its record names")
    }
  }

  func damage(_ reason: String) -> ListDamage {
    ListDamage(model: plan.model, reason: reason)
  }
}
