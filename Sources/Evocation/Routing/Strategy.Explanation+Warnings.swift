extension Strategy.Explanation {
  /// What can go wrong under a strategy although each call tells the truth.
  static func warnings(of strategy: Strategy) -> [String] {
    var found: [(finding: String, actions: [Strategy.Action])] = []
    for action in Strategy.Action.allCases {
      let rule = strategy[action]
      for finding in action.isRead ? readFindings(rule) : writeFindings(rule, action) {
        if let index = found.firstIndex(where: { $0.finding == finding }) {
          found[index].actions.append(action)
        } else {
          found.append((finding, [action]))
        }
      }
    }
    return found.map { finding, actions in
      "\(actions.map(\.rawValue).joined(separator: ", ")): \(finding)."
    }
  }

  private static func readFindings(_ rule: Strategy.Rule) -> [String] {
    var findings: [String] = []
    if rule.target == .local, rule.synchronize == .upsert {
      findings.append(
        "every read writes what local has to remote, and can overwrite what is newer there; "
          + "synchronize false would leave it alone"
      )
    }
    if rule.target == .remote, rule.synchronize == .upsert {
      findings.append(
        "what was removed on remote lives on in local; synchronize \"mirror\" would remove it there"
      )
    }
    return findings
  }

  private static func writeFindings(
    _ rule: Strategy.Rule, _ action: Strategy.Action
  ) -> [String] {
    let noun = action.isRemoval ? "the removal" : "the write"
    var findings: [String] = []
    if let fallback = rule.fallback {
      findings.append(
        "when \(rule.target.rawValue) fails, \(noun) is done in \(fallback.rawValue) alone, "
          + "and nothing does it in \(rule.target.rawValue) later"
      )
    }
    if rule.target == .local, rule.synchronize == .upsert {
      findings.append(
        "when remote does not follow, \(noun) is done in local alone, and nothing sends it later; "
          + "synchronize \"outbox\" would"
      )
    }
    if rule.target == .remote, rule.synchronize == .off {
      findings.append("local is not told of \(noun), and answers as before where it is asked")
    }
    return findings
  }
}
