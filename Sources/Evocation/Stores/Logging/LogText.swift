/// The texts of errors and criteria in a log.
package enum LogText {
  /// Returns the text as one line, with escapes for line ends and control characters.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: breaksLine) else { return text }
    let short: [Unicode.Scalar: String] = ["\n": "\\n", "\r": "\\r", "\t": "\\t"]
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      if breaksLine(scalar) {
        line += short[scalar] ?? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a character may end a line or control a terminal: C0, DEL, C1, and Unicode's line ends.
  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }

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
