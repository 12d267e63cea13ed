extension Criteria {
  /// The criteria as text, the same for any order of terms and of values in a list.
  ///
  /// Terms are those of *and* and *or*. The text is the criteria's JSON with terms and values
  /// sorted, written in ASCII, so that equal texts have equal bytes.
  public var tag: String { keptTag.text { madeTag } }

  private var madeTag: String {
    var fields: [String] = []
    if let cursor { fields.append("\"after\":\(cursor.codedText)") }
    if let limit { fields.append("\"limit\":\(limit)") }
    if offset != 0 { fields.append("\"offset\":\(offset)") }
    if !order.isEmpty { fields.append("\"order\":\(order.codedText)") }
    if let predicate { fields.append("\"where\":\(predicate.sortedText)") }
    return "{\(fields.joined(separator: ","))}"
  }
}
