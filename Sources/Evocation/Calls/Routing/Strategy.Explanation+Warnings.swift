extension Strategy.Explanation {
  /// Returns the ways in which a strategy can lose a write or leave outdated models behind.
  static func warnings(of rules: [Strategy.Action: Strategy.Rule]) -> [String] {
    let queued = Strategy.Action.allCases.filter {
      !$0.isRead && rules[$0]?.synchronize == .outbox
    }
    return sentences(of: rules) {
      $1.isRead ? readFindings($0) : writeFindings($0, $1) + overtaking($0, queued)
    }
  }

  /// Returns the steps of reads in a repository without transactions, and the effects of late
  /// answers.
  static func notes(of rules: [Strategy.Action: Strategy.Rule]) -> [String] {
    sentences(of: rules) { $1.isRead ? steps(of: $0) + lateness(of: $0) : [] }
  }

  /// Returns a sentence for each finding, with the actions whose rules have it.
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
        "every read writes local's models to remote, and can overwrite newer ones there; "
          + "synchronize false writes nothing"
      )
    }
    if rule.target == .remote, rule.synchronize == .upsert {
      findings.append(
        "models that were deleted on remote stay in local; synchronize \"mirror\" removes them"
      )
    }
    return findings
  }

  private static func steps(of rule: Strategy.Rule) -> [String] {
    var steps = ["stores the answer"]
    if rule.synchronize == .mirror { steps.append("removes what remote deleted") }
    if rule.maxAge != nil { steps.append("notes its age") }
    guard steps.count > 1 else { return [] }
    return [
      "in a local repository that is not a TransactionalRepository, Evocation \(steps[0]), then "
        + steps.dropFirst().joined(separator: ", then ")
        + "; if a step fails, the steps before it remain, and the trace says so"
    ]
  }

  private static func lateness(of rule: Strategy.Rule) -> [String] {
    guard rule.keepsLateAnswers else { return [] }
    let waits = "; if local has nothing, the call waits for it once more as long"
    return [
      "Evocation saves an answer of remote that comes after the timeout, behind the call's answer"
        + (rule.fallback == .local ? waits : "")
    ]
  }

  /// Returns how a write that bypasses the outbox can overtake the writes that wait there.
  private static func overtaking(
    _ rule: Strategy.Rule, _ queued: [Strategy.Action]
  ) -> [String] {
    let reachesRemote =
      rule.target == .remote || rule.fallback == .remote || rule.synchronize == .upsert
    guard reachesRemote, !queued.isEmpty else { return [] }
    return [
      "it reaches remote past the outbox, and can overtake a write of the same model that waits "
        + "there (\(queued.map(\.rawValue).joined(separator: ", "))); "
        + "synchronize \"outbox\" keeps the order"
    ]
  }

  private static func writeFindings(
    _ rule: Strategy.Rule, _ action: Strategy.Action
  ) -> [String] {
    let noun = action.isRemoval ? "the removal" : "the write"
    var findings: [String] = []
    if let fallback = rule.fallback {
      findings.append(
        "if \(rule.target.rawValue) fails, \(noun) is made in \(fallback.rawValue) alone, "
          + "and Evocation never repeats it in \(rule.target.rawValue)"
      )
    }
    if rule.target == .local, rule.synchronize == .upsert {
      findings.append(
        "if syncing to remote fails, \(noun) is made in local alone, and Evocation never sends it "
          + "later; synchronize \"outbox\" does"
      )
    }
    if rule.target == .remote, rule.synchronize == .off {
      findings.append("local does not get \(noun), and returns its earlier models")
    }
    return findings
  }
}
