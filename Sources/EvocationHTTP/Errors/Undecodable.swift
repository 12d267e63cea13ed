import Foundation

/// Describes what is wrong with a body, without repeating its content.
enum Undecodable {
  static func reason(_ error: any Error, body: Data) -> String {
    switch error as? DecodingError {
    case .typeMismatch(let type, let context):
      "a value that is not \(article(name(type))) at \(place(context.codingPath))"
    case .valueNotFound(let type, let context):
      "null instead of \(article(name(type))) at \(place(context.codingPath))"
    case .keyNotFound(let key, let context):
      "no value at \(place(context.codingPath + [key]))"
    case .dataCorrupted(let context) where isDate(context):
      "a date that cannot be read at \(place(context.codingPath))"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "a value that does not decode at \(place(context.codingPath))"
    default:
      whole(body)
    }
  }

  /// Whether the error is about the form of a date, by our decoder or the system's.
  private static func isDate(_ context: DecodingError.Context) -> Bool {
    [ISO8601Date.reason, "Expected date string to be ISO8601", "Date string does not match"]
      .contains { context.debugDescription.hasPrefix($0) }
  }

  private static func whole(_ body: Data) -> String {
    switch body.firstSign {
    case nil: "an empty body"
    case UInt8(ascii: "<"): "HTML or XML instead of JSON"
    // On Linux a number that does not fit its property is reported as invalid JSON, without a path.
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      (try? JSONSerialization.jsonObject(with: body)) == nil
        ? "JSON that is broken or cut off" : "a value that does not decode"
    default: "a body that is not JSON"
    }
  }

  /// The path as a programmer writes it: `data[3].owner.name`.
  private static func place(_ path: [any CodingKey]) -> String {
    let text = path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text.isEmpty ? "the top" : "\"\(text)\""
  }

  private static func name(_ type: Any.Type) -> String {
    let text = "\(type)"
    if text.hasPrefix("Array<") { return "array" }
    return text.hasPrefix("Dictionary<") ? "object" : text
  }

  private static func article(_ name: String) -> String {
    "\("AEIOUaeiou".contains(name.prefix(1)) ? "an" : "a") \(name)"
  }
}
