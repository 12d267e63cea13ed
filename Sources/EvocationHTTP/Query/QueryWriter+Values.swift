import Evocation
import Foundation

extension QueryWriter {
  /// The name of a condition's key.
  func name(
    of condition: QueryCondition, in template: QueryTemplate
  ) throws(HTTPError) -> String {
    let isNumber = !condition.values.isEmpty && condition.values.allSatisfy(\.isNumber)
    let isAlone = template.parts.name.pattern == "{key}"
    return try name(of: condition.key, ofText: !isNumber, isAlone: isAlone)
  }

  func template(of condition: QueryCondition) throws(HTTPError) -> QueryTemplate {
    if let item = filters.items[condition.operation] { return QueryTemplate(pattern: item) }
    guard filters.operators[condition.operation] != nil else {
      throw Self.unsupported("it has no \"\(condition.operation.word)\"")
    }
    return QueryTemplate(pattern: filters.pattern)
  }

  func values(
    _ key: String, _ condition: QueryCondition, _ value: String
  ) -> [String: String] {
    var values = ["key": key, "value": value]
    values["op"] = filters.operators[condition.operation]
    values["like"] = value.replacing(#/[\\%_]/#) { "\\\($0.output)" }
    return values
  }

  /// The value of a condition, or its values in the form of a list.
  func joined(_ condition: QueryCondition) throws(HTTPError) -> String {
    guard !condition.values.isEmpty || condition.takesList else { return "" }
    if condition.values.isEmpty {
      switch filters.list {
      case .quoted, .parentheses: break
      case .separated, .repeated: throw Self.unsupported("its lists cannot be empty")
      }
    }
    var texts: [String] = []
    for scalar in condition.values {
      texts.append(try value(scalar, condition.key, condition.operation.word))
    }
    let own = filters.items[condition.operation] ?? ""
    if own.contains("{like}"), own.contains("*"), texts.contains(where: { $0.contains("*") }) {
      throw Self.unsupported("its \"\(condition.operation.word)\" cannot find an asterisk")
    }
    guard condition.takesList else { return texts.first ?? "" }
    switch filters.list {
    case .quoted: return texts.map(Self.asInCSV).joined(separator: ",")
    case .parentheses: return "(" + texts.map(quoted).joined(separator: ",") + ")"
    case .separated(let separator):
      if texts.contains(where: { $0.contains(separator) }) {
        throw Self.unsupported("its lists cannot hold a value with \"\(separator)\"")
      }
      return texts.joined(separator: separator)
    case .repeated: return texts.joined(separator: ",")
    }
  }

  func value(
    _ scalar: Criteria.Scalar, _ key: Criteria.Key, _ name: String
  ) throws(HTTPError) -> String {
    guard let value = text.text(of: scalar) else {
      throw Self.unsupported("its \"\(name)\" cannot compare \"\(key)\" with null, NaN or infinity")
    }
    switch filters.texts {
    case .plain: return value
    case .filled where value.isEmpty:
      throw Self.unsupported(
        "its \"\(name)\" passes over an empty text, which \"\(key)\" is compared with")
    case .filled: return value
    case .json:
      guard case .text = scalar else { return value }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? value
    }
  }

  private static func asInCSV(_ text: String) -> String {
    let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]
    guard text.isEmpty || text.unicodeScalars.contains(where: special.contains) else { return text }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// A value within parentheses, after PostgREST: with a backslash before a quote or a backslash.
  func quoted(_ text: String) -> String {
    let special = Set(",.:(){}\"\\")
    let isPlain = !text.contains { special.contains($0) || $0.isWhitespace || $0.isNewline }
    guard text.isEmpty || !isPlain || text == "null" else { return text }
    return "\"" + text.replacing(#/["\\]/#) { "\\\($0.output)" } + "\""
  }

  /// The name of a key; throws for one that the service would not read as a property.
  func name(
    of key: Criteria.Key, ofText isText: Bool = false, isAlone: Bool = false
  ) throws(HTTPError) -> String {
    let name = filters.name(names.parts(of: key), ofText: isText)
    let marks = name.isEmpty || name.hasPrefix("-") || name.contains(where: { "[],=".contains($0) })
    guard !marks, !filters.taken.contains(name), !(isAlone && filters.isAmbiguous(name)) else {
      throw Self.unsupported("the key \"\(key)\" would not be read as a field")
    }
    return name
  }

  static func unsupported(_ reason: String) -> HTTPError {
    HTTPError(.unsupportedCriteria, reason: reason)
  }
}

extension Criteria.Scalar {
  /// Whether a service compares it as a number or as true and false, and not as text.
  fileprivate var isNumber: Bool {
    switch self {
    case .bool, .integer, .unsigned, .real, .decimal: true
    case .null, .text, .date, .uuid, .data, .url: false
    }
  }
}
