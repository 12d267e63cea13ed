/// The type of a body, such as `application/json`, or a range of types, such as `text/*`.
struct ContentType: Equatable, CustomStringConvertible {
  private let type: Substring
  private let subtype: Substring

  /// Reads a header field, of which the first type counts; nil where it names none.
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

  /// The types that the field `Accept` names.
  static func all(in accept: String?) -> [ContentType] {
    (accept ?? "").split(separator: ",").compactMap { ContentType(String($0)) }
  }

  /// Whether it is JSON, by whatever name.
  var isJSON: Bool {
    subtype == "json" && ["application", "text"].contains(type) || subtype.hasSuffix("+json")
  }

  /// Whether a type is this one, or among the range; any type at all is no range.
  func includes(_ other: ContentType) -> Bool {
    type == other.type && (subtype == other.subtype || subtype == "*") && type != "*"
  }

  var description: String { "\(type)/\(subtype)" }
}
