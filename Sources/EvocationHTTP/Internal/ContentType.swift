import Foundation

/// The type of a body, such as `application/json`, or a range of types, such as `text/*`.
struct ContentType: Equatable, CustomStringConvertible {
  private let type: Substring
  private let subtype: Substring

  /// Reads the first type of a header field; nil if it has none.
  init?(_ field: String?) {
    guard let text = field?.lowercased().split(whereSeparator: { ",; ".contains($0) }).first else {
      return nil
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 127,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    (type, subtype) = (parts[0], parts[1])
  }

  /// Returns the types in the field `Accept`.
  static func all(in accept: String?) -> [ContentType] {
    (accept ?? "").split(separator: ",").compactMap { ContentType(String($0)) }
  }

  /// Whether it is JSON, under any name.
  var isJSON: Bool {
    subtype == "json" && ["application", "text"].contains(type) || subtype.hasSuffix("+json")
  }

  /// Whether a type is this one or in this range; `*/*` is not a range.
  func includes(_ other: ContentType) -> Bool {
    type == other.type && (subtype == other.subtype || subtype == "*") && type != "*"
  }

  var description: String { "\(type)/\(subtype)" }
}

extension Data {
  /// The first byte of JSON, which may begin with blanks; nil if there is none.
  var firstSign: UInt8? { first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
