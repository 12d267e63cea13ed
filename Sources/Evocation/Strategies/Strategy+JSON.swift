public import Foundation

extension Strategy {
  /// Reads a strategy from JSON: an object with a rule for each action.
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
  /// - Throws: What is wrong, named by action and field.
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
  /// - Throws: ``StrategyError`` with what is wrong, named by action and field.
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
