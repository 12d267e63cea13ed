internal import Foundation

extension Criteria: CacheRequirements {
  /// The criteria as text, the same for criteria that ask the same in another order of words.
  ///
  /// It is JSON, as the criteria are coded, with the parts of *and* and *or* sorted, and written in
  /// ASCII, so that tags are the same text only when they are the same bytes.
  public var tag: String {
    var rest = self
    rest.predicate = nil
    let text = rest.codedText
    guard let predicate else { return text }
    // "where" is the last of the names in their order.
    return text.dropLast() + (text == "{}" ? "" : ",") + "\"where\":\(predicate.sortedText)}"
  }
}

extension Criteria.Predicate {
  fileprivate var sortedText: String {
    folded { term, _ in
      term.codedText
    } _: { join, parts, _ in
      switch join {
      case .all: "{\"all\":[\(parts.sorted().joined(separator: ","))]}"
      case .any: "{\"any\":[\(parts.sorted().joined(separator: ","))]}"
      case .not: "{\"not\":\(parts.joined())}"
      }
    }
  }
}

extension Encodable {
  /// The value as JSON in ASCII.
  fileprivate var codedText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // Criteria are made of what JSON can hold; were it otherwise, they would still have a name.
    guard let data = try? encoder.encode(self) else { return "\(self)" }
    let text = String(decoding: data, as: UTF8.self)
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : text.escaped
  }
}

extension String {
  /// JSON with what is not ASCII written as `\u` and four digits for each unit of UTF-16.
  fileprivate var escaped: String {
    utf16.reduce(into: "") { text, unit in
      if unit < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
}
