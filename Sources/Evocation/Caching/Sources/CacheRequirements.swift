internal import Foundation

/// The query whose data a cache holds, with the tag that identifies the cache.
///
/// The tag is the cache key. Requirements with the same tag are the same cache: they share age,
/// running refresh and state, in all repositories. Tags are kept across launches, so build the tag
/// from the content of the cache:
///
/// ```swift
/// struct ReposOfUser: CacheRequirements {
///   let name: String
///   var tag: String { "repos of \(name)" }
/// }
/// ```
///
/// ``Criteria`` are requirements. ``CacheTag`` is for a cache of which there is only one.
public protocol CacheRequirements: Sendable {
  /// The cache key, which identifies the cache by its UTF-8 bytes.
  var tag: String { get }
}

/// The requirements of a cache that needs only a name.
///
/// ```swift
/// settings.requirements = "settings"
/// ```
public struct CacheTag: CacheRequirements, Hashable, Codable, ExpressibleByStringLiteral {
  /// The name.
  public var tag: String

  /// Creates requirements from a name.
  public init(_ tag: String) {
    self.tag = tag
  }

  /// Creates requirements from a literal name.
  public init(stringLiteral tag: String) {
    self.tag = tag
  }
}

extension Criteria: CacheRequirements {
  /// The criteria as text, the same for any order of terms and of values in a list.
  ///
  /// Terms are those of *and* and *or*. The text is the criteria's JSON with terms and values
  /// sorted, written in ASCII, so that equal texts have equal bytes.
  public var tag: String {
    var fields: [String] = []
    if let cursor { fields.append("\"after\":\(cursor.codedText)") }
    if let limit { fields.append("\"limit\":\(limit)") }
    if offset != 0 { fields.append("\"offset\":\(offset)") }
    if !order.isEmpty { fields.append("\"order\":\(order.codedText)") }
    if let predicate { fields.append("\"where\":\(predicate.sortedText)") }
    return "{\(fields.joined(separator: ","))}"
  }
}

extension Criteria.Predicate {
  fileprivate var sortedText: String {
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
    case .all, .any, .not: codedText
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
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .text(let value): value.ascii
    case .real, .uuid, .data, .date, .url, .decimal, .unsigned: codedText
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
  fileprivate var codedText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
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
