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
  /// One sentence that says what is wrong, where it is, and how to fix it.
  public var description: String {
    switch self {
    case .incompleteConfiguration(let missing):
      let names = missing.map(\.rawValue).joined(separator: ", ")
      return "The strategy has no rule for \(names); give each action one."
    case .invalidRule(let action, _, let reason):
      return "The rule for \(action.rawValue) does not work: \(reason)."
    case .unreadable(let path, let reason):
      return path.isEmpty
        ? "The strategy cannot be read: \(reason)."
        : "The strategy cannot be read at \(path): \(reason)."
    }
  }
}
