/// A condition whose parts are joined by *and* and *or*, before it becomes text.
///
/// SQLite's parser has a stack entry for each open parenthesis and each open left side, and has
/// room for about a hundred. Nested joins of the same kind therefore become one join, and long ones
/// become a balanced tree. The deepest part comes first, where no left side is open.
struct SQLCondition {
  /// The number of levels that SQLite's parser accepts, with room for the statement around them.
  static let mostLevels = 50

  /// The number of values that SQLite binds to a statement by default.
  static let mostValues = 32_766

  /// How many parts are side by side: SQLite counts a level for each of them too.
  private static let width = 8

  private enum Kind { case all, any }

  /// The depth of nested joins; none for a single term.
  private(set) var levels = 0

  private var kind: Kind?
  private var parts: [SQLCondition] = []
  private let term: SQLQuery

  init(_ term: SQLQuery) { self.term = term }

  private init(_ kind: Kind, _ parts: [SQLCondition]) {
    let (breaker, neutral): (SQLQuery, SQLQuery) =
      kind == .all ? (.never, .always) : (.always, .never)
    var flat: [SQLCondition] = []
    for part in parts where part.kind != nil || part.term != neutral {
      if part.kind == nil, part.term == breaker {
        self = part
        return
      }
      if part.kind == kind { flat += part.parts } else { flat.append(part) }
    }
    self = flat.count == 1 ? flat[0] : SQLCondition(neutral)
    guard flat.count > 1 else { return }
    (self.kind, self.parts, levels) = (kind, flat, Self.depth(of: flat))
  }

  /// Returns a condition that is true if all parts are.
  static func all(_ parts: [SQLCondition]) -> SQLCondition { SQLCondition(.all, parts) }

  /// Returns a condition that is true if any part is.
  static func any(_ parts: [SQLCondition]) -> SQLCondition { SQLCondition(.any, parts) }

  /// The condition as SQL.
  var query: SQLQuery {
    guard let kind else { return term }
    let separator = kind == .all ? " AND " : " OR "
    var queries = ordered.map(\.query)
    while queries.count > Self.width {
      queries = stride(from: 0, to: queries.count, by: Self.width).map { start in
        let group = queries[start..<min(start + Self.width, queries.count)]
        return group.count == 1 ? group[start] : Self.parenthesized(Array(group), separator)
      }
    }
    return Self.parenthesized(queries, separator)
  }

  /// The parts, with the deepest one first if a part is a join.
  private var ordered: [SQLCondition] {
    guard let deepest = parts.indices.max(by: { parts[$0].levels < parts[$1].levels }),
      parts[deepest].levels > 1
    else { return parts }
    return [parts[deepest]] + parts[..<deepest] + parts[(deepest + 1)...]
  }

  private static func parenthesized(_ queries: [SQLQuery], _ separator: String) -> SQLQuery {
    "(" + .list(queries, separator) + ")"
  }

  /// Returns the levels of a join of these parts: their own, and one for each level of the balanced
  /// tree.
  private static func depth(of parts: [SQLCondition]) -> Int {
    var (count, levels) = (parts.count, 1)
    while count > width {
      count = (count + width - 1) / width
      levels += 1
    }
    return levels + (parts.map(\.levels).max() ?? 0)
  }
}
