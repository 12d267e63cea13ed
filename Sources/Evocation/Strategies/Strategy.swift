/// Which repository is asked first, which answers when it fails, and whether the other follows:
/// one ``Rule`` for each ``Action``.
///
/// ```swift
/// let careful = try Strategy(rules: [
///   .find: .remoteFirst, .findOne: .remoteFirst,
///   .store: .remoteOnly, .storeOne: .remoteOnly,
///   .update: .remoteOnly, .updateOne: .remoteOnly,
///   .remove: .remoteOnly, .removeOne: .remoteOnly,
/// ])
/// print(careful.explain())
/// ```
///
/// A strategy reads from JSON with ``init(json:)`` or any decoder.
public struct Strategy: Sendable, Hashable {
  private var rules: [Rule]

  /// Makes a strategy with the same rule for every action.
  ///
  /// A ready-made name means the strategy of that name: `Strategy(.remoteFirst)` is ``remoteFirst``,
  /// whose writes do not fall back to where nothing would send them from later.
  ///
  /// - Precondition: The rule fits every action; where it might not, use ``init(rules:)``.
  @_disfavoredOverload  // Else `Strategy(.remoteFirst)` would not be the strategy of that name.
  public init(_ rule: Rule) {
    for action in Action.allCases {
      if let reason = rule.misfit(for: action) {
        preconditionFailure(
          StrategyError.invalidRule(action, rule, reason: reason).description
        )
      }
    }
    rules = Action.allCases.map { _ in rule }
  }

  /// Gives a ready-made strategy by its name: `Strategy(.remoteFirst)` is ``remoteFirst``.
  public init(_ strategy: Strategy) {
    self = strategy
  }

  /// Makes a strategy with a rule for each action.
  ///
  /// - Throws: ``StrategyError/incompleteConfiguration(missing:)`` when an action has no rule, and
  ///   ``StrategyError/invalidRule(_:_:reason:)`` when a rule does not fit its action.
  public init(rules: [Action: Rule]) throws(StrategyError) {
    let missing = Action.allCases.filter { rules[$0] == nil }
    guard missing.isEmpty else { throw .incompleteConfiguration(missing: missing) }
    self.rules = []
    for action in Action.allCases {
      guard let rule = rules[action] else { continue }
      if let reason = rule.misfit(for: action) { throw .invalidRule(action, rule, reason: reason) }
      self.rules.append(rule)
    }
  }

  init(reads: Rule, writes: Rule) {
    rules = Action.allCases.map { $0.isRead ? reads : writes }
  }

  init(remoteFirst: Rule, localFirst: Rule) {
    rules = Action.allCases.map { $0.isRead || $0.isRemoval ? remoteFirst : localFirst }
  }

  /// The rule for an action.
  public subscript(action: Action) -> Rule {
    rules[action.index]
  }
}
