import Evocation

extension Strategy {
  /// A strategy whose other rules ask the remote alone.
  init(_ rule: Rule, for action: Action) throws {
    var rules: [Action: Rule] = [:]
    for action in Action.allCases { rules[action] = .remoteOnly }
    rules[action] = rule
    self = try Strategy(rules: rules)
  }
}
