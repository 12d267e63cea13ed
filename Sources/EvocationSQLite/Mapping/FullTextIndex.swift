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
///
/// It is a class because every statement of the table copies the plan that has it.
final class FullTextIndex: Sendable {
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
    let targets = try Self.targets(of: index, plan)
    guard !index.keys.isEmpty else {
      throw .unmappable(
        model: plan.model, property: "", reason: "its full-text index names no property")
    }
    name = "evocation_text(\(plan.table))"
    table = plan.table
    keyColumns = plan.key.map { plan.columns[$0] }
    isNumbered = plan.hasNumbers
    func values(in row: String) -> [String] {
      targets.map { $0.plain("\(row).\($0.property.name.quoted)") }
    }
    texts = values(in: plan.table.quoted)
    (oldTexts, newTexts) = (values(in: "old"), values(in: "new"))
  }

  private static func targets(
    of index: SQLiteIndex, _ plan: TablePlan
  ) throws(EvocationError) -> [ModelSchema.Target] {
    var targets: [ModelSchema.Target] = []
    for key in index.keys {
      let target = try plan.schema.target(of: key)
      guard target.kind == .scalar(.text) || target.kind == .scalar(.url) else {
        throw .unmappable(
          model: plan.model, property: key.name,
          reason: "a full-text index takes text, and it holds \(target.kind)")
      }
      guard target.hasJSONPath else { throw target.hasNoPath(key) }
      targets.append(target)
    }
    return targets
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
