public import Foundation

extension Strategy {
  /// Creates a strategy from JSON: an object with a rule for each action.
  ///
  /// ```json
  /// {
  ///   "find": { "target": "remote", "fallback": "local", "synchronize": "mirror", "timeout": 5 },
  ///   "store": "remoteOnly"
  /// }
  /// ```
  ///
  /// A rule is an object with the fields of ``Rule`` (durations in seconds), or one of the words
  /// `remoteFirst`, `localFirst`, `remoteOnly` and `localOnly`.
  ///
  /// - Throws: ``StrategyError`` that names the action and the field.
  public init(json: Data) throws(StrategyError) {
    do {
      self = try JSONDecoder().decode(Strategy.self, from: json)
    } catch let error as StrategyError {
      throw error
    } catch {
      throw .unreadable(
        path: "", reason: "it is not a JSON object of rules (\(Self.detail(error)))")
    }
  }

  private static func detail(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
    let cause = (context.underlyingError as? NSError)?.userInfo["NSDebugDescription"] as? String
    return cause.map { String($0.prefix { $0 != "\n" }) } ?? context.debugDescription
  }
}

extension Strategy: Codable {
  /// Reads an object with a rule for each action.
  ///
  /// - Throws: ``StrategyError`` that names the action and the field.
  public init(from decoder: any Decoder) throws {
    let fields = try StrategyFields(decoder, known: Action.allCases.map(\.rawValue))
    var rules: [Action: Rule] = [:]
    for action in Action.allCases {
      rules[action] = try fields.value(action.rawValue) { try Rule(from: $0) }
    }
    try self.init(rules: rules)
  }

  /// Writes an object with a rule for each action.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    for action in Action.allCases {
      try container.encode(self[action], forKey: .init(action.rawValue))
    }
  }
}

/// An error in a strategy; its description names the action and the field.
///
/// ```swift
/// do {
///   strategy = try Strategy(json: json)
/// } catch {
///   print(error)  // a StrategyError: one sentence that names the action and the field
/// }
/// ```
public enum StrategyError: Error, Sendable, Hashable {
  /// These actions have no rule.
  case incompleteConfiguration(missing: [Strategy.Action])

  /// The rule does not fit the action, for this reason.
  case invalidRule(Strategy.Action, Strategy.Rule, reason: String)

  /// The JSON of a strategy is not valid at this path.
  ///
  /// A path such as `find.fallback` names a field. It is empty for the whole text.
  case unreadable(path: String, reason: String)
}

extension StrategyError: CustomStringConvertible {
  /// One sentence for the developer: what is wrong, where, and the fix.
  public var description: String { sentence.description }
}

extension StrategyError: LocalizedError {
  /// A sentence for the person who uses the app, without terms of Evocation.
  public var errorDescription: String? { AlertText.appFailed.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? { sentence.suggestion }

  /// The problem and the fix.
  private var sentence: ErrorSentence {
    switch self {
    case .incompleteConfiguration(let missing):
      let names = missing.map(\.rawValue).joined(separator: ", ")
      return ErrorSentence(
        "The strategy has no rule for \(names)", fix: "add a rule for each action")
    case .invalidRule(let action, _, let reason):
      return ErrorSentence(
        whole: "The rule for \(action.rawValue) is not valid: \(reason)",
        suggestion: "change the field of the rule that the description names")
    case .unreadable(let path, let reason):
      return ErrorSentence(
        whole: "Evocation cannot read the strategy\(path.isEmpty ? "" : " at \(path)"): \(reason)",
        suggestion: "correct the JSON at the path that the description names")
    }
  }
}
