/// What is wrong with a strategy, named by action and field.
public enum StrategyError: Error, Sendable, Hashable {
  /// These actions have no rule.
  case incompleteConfiguration(missing: [Strategy.Action])

  /// The rule does not fit the action, and why.
  case invalidRule(Strategy.Action, Strategy.Rule, reason: String)

  /// The text of a strategy says something that cannot be understood at this place.
  ///
  /// The path leads to the place, such as `find.fallback`; it is empty for the whole text.
  case unreadable(path: String, reason: String)
}

extension StrategyError: CustomStringConvertible {
  /// One sentence that says how to mend it.
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
