extension Strategy.Explanation {
  /// What can go wrong under a strategy although each call tells the truth.
  static func warnings(of rules: [Strategy.Action: Strategy.Rule]) -> [String] {
    let queued = Strategy.Action.allCases.filter {
      !$0.isRead && rules[$0]?.synchronize == .outbox
    }
    return sentences(of: rules) {
      $1.isRead ? readFindings($0) : writeFindings($0, $1) + overtaking($0, queued)
    }
  }

  /// What a repository that takes no write whole does in steps.
  static func notes(of rules: [Strategy.Action: Strategy.Rule]) -> [String] {
    sentences(of: rules) { $1.isRead ? steps(of: $0) + lateness(of: $0) : [] }
  }

  /// A sentence for each finding, with the actions whose rules have it.
  private static func sentences(
    of rules: [Strategy.Action: Strategy.Rule],
    _ findings: (Strategy.Rule, Strategy.Action) -> [String]
  ) -> [String] {
    var found: [(finding: String, actions: [Strategy.Action])] = []
    for action in Strategy.Action.allCases {
      for finding in rules[action].map({ findings($0, action) }) ?? [] {
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

  private static func steps(of rule: Strategy.Rule) -> [String] {
    var steps = ["what was fetched is stored"]
    if rule.synchronize == .mirror { steps.append("what is gone on remote is removed") }
    if rule.maxAge != nil { steps.append("its age is noted") }
    guard steps.count > 1 else { return [] }
    return [
      "in a local repository that is not a TransactionalRepository \(steps[0]), then "
        + steps.dropFirst().joined(separator: ", then ")
        + "; where a step fails, those before it stay done, and the trace says so"
    ]
  }

  private static func lateness(of rule: Strategy.Rule) -> [String] {
    guard rule.keepsLateAnswers else { return [] }
    let waits = "; where local has nothing, the call waits for it as long again"
    return [
      "what remote answers after the timeout is saved behind the call's answer"
        + (rule.fallback == .local ? waits : "")
    ]
  }

  /// What a write past the outbox can do to those that wait in it.
  private static func overtaking(
    _ rule: Strategy.Rule, _ queued: [Strategy.Action]
  ) -> [String] {
    let reachesRemote =
      rule.target == .remote || rule.fallback == .remote || rule.synchronize == .upsert
    guard reachesRemote, !queued.isEmpty else { return [] }
    return [
      "it goes to remote past the outbox, and can overtake a write of the same model that waits "
        + "there (\(queued.map(\.rawValue).joined(separator: ", "))); "
        + "synchronize \"outbox\" would keep the order"
    ]
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
