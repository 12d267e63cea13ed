import Evocation
import Foundation

extension HTTPFormat.Refusals {
  /// Returns the meaning that a rule gives to an answer with any status; nil if no rule does.
  ///
  /// Of an answer that has a part for each of several models, only the parts are asked for.
  func meaning(of answer: HTTPAnswer) -> HTTPError.Code? {
    let rules = rules.filter { $0.status == answer.status }
    guard !rules.isEmpty || meaning != nil, answer.remembered == nil, answer.stream == nil else {
      return nil
    }
    let isRead = meaning != nil || rules.contains { $0.key != nil }
    let json =
      isRead
      ? try? JSONSerialization.jsonObject(with: answer.body, options: .fragmentsAllowed) : nil
    let isSearched = rules.contains { $0.key == nil && $0.contains != nil }
    let start = answer.body.prefix(isSearched ? HTTPRefusal.longestBody : 0)
    let text = String(decoding: start, as: UTF8.self)
    return rules.first { $0.matches(json, text) }?.meaning ?? meaning?(answer.status, json)
  }
}

extension HTTPAnswer {
  /// Whether the body of a success says at its top that a write was refused, in one of the usual forms.
  ///
  /// `own` are the names that the models themselves have there. Most bodies have none of the words, and
  /// are not read.
  func saysRefusal(except own: (String) -> Bool) -> Bool {
    guard
      ["error", "success", "status"].contains(where: { body.range(of: Data("\"\($0)".utf8)) != nil }
      ),
      let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    else { return false }
    return object.contains { name, value in
      guard !own(name) else { return false }
      return switch name {
      case "error", "errors": HTTPFormat.Refusals.Match.saysSomething(value)
      case "success": !HTTPFormat.Refusals.Match.saysSomething(value)
      case "status": ["error", "fail"].contains((value as? String)?.lowercased())
      default: false
      }
    }
  }
}

extension HTTPFormat.Refusals.Match {
  fileprivate func matches(_ json: Any?, _ body: String) -> Bool {
    guard let key else { return contains.map { Self.has($0, in: body) } ?? true }
    let value = JSONPlace.value(json, at: key)
    guard let contains else { return Self.saysSomething(value) }
    return Self.text(value).range(of: contains, options: .caseInsensitive) != nil
  }

  /// Whether JSON contains words, or the JSON that they are, whatever blanks are between its signs.
  private static func has(_ words: String, in body: String) -> Bool {
    if body.range(of: words, options: .caseInsensitive) != nil { return true }
    guard words.contains("\"") else { return false }
    return compact(body).range(of: compact(words), options: .caseInsensitive) != nil
  }

  private static func compact(_ json: String) -> String {
    var (isQuoted, isEscaped) = (false, false)
    let kept = json.unicodeScalars.filter { sign in
      if isEscaped {
        isEscaped = false
      } else if isQuoted, sign == "\\" {
        isEscaped = true
      } else if sign == "\"" {
        isQuoted.toggle()
      }
      return isQuoted || ![" ", "\n", "\r", "\t"].contains(sign)
    }
    return String(String.UnicodeScalarView(kept))
  }

  /// Whether a value says anything: many services send null, false, 0 or nothing in it for a success.
  static func saysSomething(_ value: Any?) -> Bool {
    switch value {
    case let text as String: !text.isEmpty
    case let list as [Any]: !list.isEmpty
    case let object as [String: Any]: !object.isEmpty
    default: !["", "false", "0"].contains(text(value))
    }
  }

  /// Returns all text in a value, with numbers and Booleans as JSON has them.
  private static func text(_ value: Any?) -> String {
    switch value {
    case let text as String: return text
    case let list as [Any]: return list.prefix(100).map(text).joined(separator: "\n")
    case let object as [String: Any]:
      return object.values.prefix(100).map(text).joined(separator: "\n")
    case let number as NSNumber:
      let data = try? JSONSerialization.data(withJSONObject: number, options: .fragmentsAllowed)
      return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    default: return ""
    }
  }
}
