import Evocation

/// A pattern of ``HTTPFilters``, filled in: nothing that is put in is read as a pattern again.
struct QueryTemplate {
  let pattern: String

  /// Fills in the pattern; a name in braces that is not among the values stays as it is.
  func filled(_ values: [String: String]) -> String {
    var text = ""
    var rest = pattern[...]
    while let start = rest.firstIndex(of: "{") {
      text += rest[..<start]
      guard let end = rest[start...].firstIndex(of: "}"),
        let value = values[String(rest[rest.index(after: start)..<end])]
      else {
        text += "{"
        rest = rest[rest.index(after: start)...]
        continue
      }
      text += value
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  /// The pattern before its first equals sign, and what stands behind it.
  var parts: (name: QueryTemplate, value: QueryTemplate) {
    let parts = pattern.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (
      QueryTemplate(pattern: String(parts.first ?? "")),
      QueryTemplate(pattern: parts.count > 1 ? String(parts[1]) : "{value}")
    )
  }

  func names(_ placeholder: String) -> Bool { pattern.contains("{\(placeholder)}") }
}
