/// The texts of errors and criteria in a log.
package enum LogText {
  package static func of(_ error: any Error, showsValues: Bool) -> String {
    if showsValues { return ServiceWords.hidden(in: error) }
    let words =
      (error as? StrategyError)?.logDescription ?? (error as? any ClassifiedError)?.logDescription
    return words ?? "\(type(of: error)) (\(FailureKind(error).rawValue))"
  }

  /// The keys of criteria, or all of the criteria if values are shown; nil if they match all
  /// models.
  package static func of(_ criteria: Criteria, showsValues: Bool) -> String? {
    if criteria.isEverything { return nil }
    if showsValues { return criteria.tag }
    var parts = Set(criteria.predicate?.keys.map(\.name) ?? []).sorted()
    if let predicate = criteria.predicate, predicate.isOpaque {
      parts.append(predicate.parameter?.name ?? "matching")
    }
    if !criteria.order.isEmpty { parts.append("sorted") }
    if criteria.limit != nil { parts.append("limit") }
    if criteria.offset > 0 { parts.append("offset") }
    if criteria.cursor != nil { parts.append("after") }
    return "{\(parts.joined(separator: ", "))}"
  }
}
