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
    var rest = self
    rest.predicate = nil
    let text = rest.codedText
    guard let predicate else { return text }
    // "where" is the last of the sorted names.
    return text.dropLast() + (text == "{}" ? "" : ",") + "\"where\":\(predicate.sortedText)}"
  }
}

extension Criteria.Predicate {
  fileprivate var sortedText: String {
    folded { term, _ in
      term.inOrder.codedText
    } _: { join, parts, _ in
      switch join {
      case .all: "{\"all\":[\(parts.sorted().joined(separator: ","))]}"
      case .any: "{\"any\":[\(parts.sorted().joined(separator: ","))]}"
      case .not: "{\"not\":\(parts.joined())}"
      }
    }
  }
}

extension Criteria.Predicate {
  /// The term with the values of its list from the least to the greatest, each once.
  private var inOrder: Self {
    guard case .isIn(let key, let values) = self, values.count > 1 else { return self }
    let sorted = Set(values).sorted { left, right in
      switch ScalarOrder.of(left, right) {
      case .less: true
      case .greater: false
      // The values are of two kinds, such as 2 and 2.0.
      case .same: left.codedText < right.codedText
      }
    }
    return .isIn(key, sorted)
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
