import Foundation

extension Criteria.Predicate {
  /// The JSON in ASCII, the same for any order of parts and of the values of a list.
  var sortedText: String {
    folded { term, _ in
      term.ascii
    } _: { join, parts, _ in
      switch join {
      case .all: "{\"all\":[\(parts.sorted().joined(separator: ","))]}"
      case .any: "{\"any\":[\(parts.sorted().joined(separator: ","))]}"
      case .not: "{\"not\":\(parts.joined())}"
      }
    }
  }

  /// The JSON of a single term, without an encoder: every read of the remote needs it
  /// (`a read that local follows`).
  private var ascii: String {
    switch self {
    case .comparison(let key, let comparison, let operand):
      "{\"\(comparison.rawValue)\":{\"key\":\(key.name.ascii),\"value\":\(operand.value.ascii)}}"
    case .isIn(let key, let values):
      "{\"in\":{\"key\":\(key.name.ascii),\"values\":["
        + Self.sorted(values).map(\.ascii).joined(separator: ",") + "]}}"
    case .between(let key, let lower, let upper):
      "{\"between\":{\"key\":\(key.name.ascii),"
        + "\"lower\":\(lower.ascii),\"upper\":\(upper.ascii)}}"
    case .isNull(let key): "{\"isNull\":\(key.name.ascii)}"
    case .hasPrefix(let key, let prefix):
      "{\"hasPrefix\":{\"key\":\(key.name.ascii),\"prefix\":\(prefix.ascii)}}"
    case .contains(let key, let operand):
      "{\"contains\":{\"key\":\(key.name.ascii),\"value\":\(operand.value.ascii)}}"
    case .text(let key, let comparison, let text, let options):
      "{\"text\":{\"comparison\":\"\(comparison.rawValue)\",\"key\":\(key.name.ascii),"
        + "\"options\":[\(options.names.map(\.ascii).joined(separator: ","))],"
        + "\"text\":\(text.ascii)}}"
    case .matching(let words): "{\"matching\":\(words.ascii)}"
    case .parameter(let key, let operand):
      "{\"parameter\":{\"key\":\(key.name.ascii),\"value\":\(operand.value.ascii)}}"
    case .all, .any, .not: sortedText
    }
  }

  /// Returns the values of a list from the least to the greatest, each once.
  private static func sorted(_ values: [Criteria.Scalar]) -> [Criteria.Scalar] {
    Set(values).sorted { left, right in
      switch ScalarOrder.of(left, right) {
      case .less: true
      case .greater: false
      // The values are of two kinds, such as 2 and 2.0.
      case .same: left.ascii < right.ascii
      }
    }
  }
}

extension Criteria.Scalar {
  fileprivate var ascii: String {
    switch self {
    case .null, .bool, .integer: exactText
    case .text(let value): value.ascii
    // Values of other signs that are equal have one text.
    case .real(0): "{\"real\":\"0.0\"}"
    case .real(let value) where value.isNaN: "{\"real\":\"nan\"}"
    case .unsigned, .real, .decimal, .date, .uuid, .data, .url:
      "{\"\(kind?.name ?? "null")\":\(exactText.ascii)}"
    }
  }
}

extension String {
  /// The string as JSON in ASCII.
  fileprivate var ascii: String {
    let isPlain = utf8.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    return isPlain ? "\"\(self)\"" : codedText
  }
}

extension Encodable {
  /// The value as JSON in ASCII.
  var codedText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON can hold all criteria; if encoding failed nevertheless, there would still be a tag.
    guard let data = try? encoder.encode(self) else { return "\(self)" }
    let text = String(decoding: data, as: UTF8.self)
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : text.escaped
  }
}

extension String {
  /// JSON with each character outside of ASCII as `\u` and four digits for each unit of UTF-16.
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
