internal import Evocation

/// The full-text index of a table: an FTS5 table with the words of its rows, kept by triggers.
///
/// FTS5 finds a row of its own by a number, and needs the words that it had to take them out again.
///
/// - A model's table without numbers, which is every one whose key is not a single whole number, has
///   another table beside it that gives each key a number.
/// - The FTS5 table has a copy of the text. Without one (an external content or a contentless table)
///   the triggers would have to pass the former text, which they do not see when `INSERT OR REPLACE`
///   replaces a row: its words would stay in the index forever.
/// - All statements of the triggers may run twice, and none has a conflict, because the conflict clause
///   of the statement that fires a trigger replaces those inside.
struct FullTextIndex: Sendable {
  /// The coding keys in their order.
  let keys: [Criteria.Key]

  /// The name of the FTS5 table; those of the triggers begin with it.
  let name: String

  let table: String
  /// SQL for the texts of a row, and of the rows before and after a change.
  let texts: [String]
  let oldTexts: [String]
  let newTexts: [String]
  let keyColumns: [Column]
  let isNumbered: Bool

  init(_ index: SQLiteIndex, _ plan: TablePlan) throws(EvocationError) {
    for key in index.keys {
      let kind = try plan.schema.target(of: key).kind
      guard kind == .scalar(.text) || kind == .scalar(.url) else {
        throw .unmappable(
          model: plan.model, property: key.name,
          reason: "a full-text index takes text, and it holds \(kind)")
      }
    }
    guard !index.keys.isEmpty else {
      throw .unmappable(
        model: plan.model, property: "", reason: "its full-text index names no property")
    }
    keys = index.keys
    name = "evocation_text(\(plan.table))"
    table = plan.table
    keyColumns = plan.key.map { plan.columns[$0] }
    isNumbered = plan.hasNumbers
    func values(in row: String) throws(EvocationError) -> [String] {
      var values: [String] = []
      for key in index.keys {
        values.append(try SQLPredicate(plan: plan).expression(of: key, in: row).raw)
      }
      return values
    }
    texts = try values(in: plan.table.quoted)
    (oldTexts, newTexts) = (try values(in: "old"), try values(in: "new"))
  }

  /// Returns the full-text index that is declared for a table; nil if none is.
  static func declared(in indexes: [SQLiteIndex], _ plan: TablePlan) throws -> FullTextIndex? {
    let declared = indexes.filter(\.isFullText)
    guard let first = declared.first else { return nil }
    for other in declared where other != first {
      throw EvocationError.unmappable(
        model: plan.model, property: other.keys.map(\.name).joined(separator: ","),
        reason: "a table has one full-text index; name all its properties in one fullText")
    }
    return try FullTextIndex(first, plan)
  }
}

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

  var keyList: String {
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
