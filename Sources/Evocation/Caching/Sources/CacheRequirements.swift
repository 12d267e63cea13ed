internal import Foundation

/// Says what is cached, and has the tag that identifies it.
///
/// Requirements with the same tag are the same cache: they share age, running refresh and state,
/// whichever repository they are given to. Tags are kept across launches, so make the tag of what
/// the cache holds:
///
/// ```swift
/// struct ReposOfUser: CacheRequirements {
///   let name: String
///   var tag: String { "repos of \(name)" }
/// }
/// ```
///
/// ``Criteria`` are requirements, and ``CacheTag`` is for a cache of which there is only one.
public protocol CacheRequirements: Sendable {
  /// Identifies the cache, by its UTF-8 bytes.
  var tag: String { get }
}

/// The requirements of a cache that needs none beyond its name.
///
/// ```swift
/// settings.requirements = "settings"
/// ```
public struct CacheTag: CacheRequirements, Hashable, Codable, ExpressibleByStringLiteral {
  /// The name.
  public var tag: String

  /// Makes requirements of a name.
  public init(_ tag: String) {
    self.tag = tag
  }

  /// Makes requirements of a literal name.
  public init(stringLiteral tag: String) {
    self.tag = tag
  }
}

extension Criteria: CacheRequirements {
  /// The criteria as text, which depends neither on the order of terms in *and* and *or* nor on that of
  /// the values in a list.
  ///
  /// It is the criteria's JSON with these sorted, and written in ASCII, so that equal texts have equal
  /// bytes.
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
      // Of two kinds, such as 2 and 2.0.
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
    // JSON can hold all criteria; if encoding failed all the same, there would still be a tag.
    guard let data = try? encoder.encode(self) else { return "\(self)" }
    let text = String(decoding: data, as: UTF8.self)
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : text.escaped
  }
}

extension String {
  /// JSON in which all that is not ASCII is written as `\u` and four digits for each unit of
  /// UTF-16.
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
