internal import Evocation

/// The statements that find models.
extension FullTextIndex {
  /// A condition for the rows of the table that have the words; nil if there are none.
  func condition(_ words: String) -> SQLQuery? {
    expression(of: words).map {
      SQLQuery("(\(keyList)) IN (SELECT \(foundKeys) FROM \(found) MATCH ?)", [$0])
    }
  }

  /// The table beside the rows that have the words, with the rank of each, for a `FROM`.
  ///
  /// Its condition joins both. It is nil if there are no words.
  func ranking(_ words: String) -> (source: SQLQuery, condition: SQLQuery)? {
    guard let expression = expression(of: words) else { return nil }
    let columns = keyColumns.indices.map { "evocation_key\($0)" }
    let keys = zip(foundKeyColumns, columns).map { "\($0) AS \($1)" }.joined(separator: ", ")
    let equations = zip(keyColumns, columns).map { "\(table.quoted).\($0.name.quoted) = \($1)" }
    // CROSS JOIN keeps SQLite from reading all rows of the table first.
    let source = SQLQuery(
      "(SELECT rank AS evocation_rank, \(keys) FROM \(found) MATCH ?) CROSS JOIN "
        + table.quoted, [expression])
    return (source, SQLQuery(equations.joined(separator: " AND ")))
  }

  private func expression(of words: String) -> SQLValue? {
    let terms = SearchWords(words).terms.map { "\"\($0.text)\"\($0.isPrefix ? " *" : "")" }
    return terms.isEmpty ? nil : .text(terms.joined(separator: " AND "))
  }

  private var keyList: String {
    keyColumns.map { "\(table.quoted).\($0.name.quoted)" }.joined(separator: ", ")
  }

  private var foundKeyColumns: [String] {
    isNumbered
      ? ["\(name.quoted).rowid"] : keyColumns.indices.map { "\(numbers.quoted).key\($0)" }
  }

  private var foundKeys: String { foundKeyColumns.joined(separator: ", ") }

  private var found: String {
    let join =
      isNumbered ? "" : " JOIN \(numbers.quoted) ON \(numbers.quoted).number = \(name.quoted).rowid"
    return "\(name.quoted)\(join) WHERE \(name.quoted)"
  }
}
