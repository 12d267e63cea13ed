extension Strategy.Rule {
  /// Why the rule cannot serve the action, as the end of a sentence, or nil when it can.
  func misfit(for action: Strategy.Action) -> String? {
    routingMisfit ?? synchronizationMisfit(for: action) ?? timingMisfit(for: action)
  }

  private var routingMisfit: String? {
    guard fallback == target else { return nil }
    return "its fallback is its target, so name the other repository or none"
  }

  private func synchronizationMisfit(for action: Strategy.Action) -> String? {
    switch synchronize {
    case .off, .upsert:
      nil
    case .mirror where !action.isRead:
      "mirror is for reads, so use true or false"
    case .mirror where target == .local:
      "mirror with a local target would delete on the remote, so make remote the target"
    case .mirror:
      nil
    case .outbox where action.isRead:
      "outbox is for writes, so use true, false or mirror"
    case .outbox where target == .remote:
      "outbox sends what local took first, so make local the target"
    case .outbox:
      nil
    }
  }

  private func timingMisfit(for action: Strategy.Action) -> String? {
    if let timeout, timeout <= .zero { return "its timeout is not positive" }
    if let maxAge, maxAge < .zero { return "its maxAge is negative" }
    if let reason = retry?.misfit { return reason }
    guard action.isRead else { return nil }
    if maxAge != nil, target == .local {
      return "maxAge says how long local may stand in for the remote, so make remote the target"
    }
    if maxAge != nil, synchronize == .off {
      return "maxAge needs local to hold what was fetched, so synchronize"
    }
    if revalidates, maxAge == nil { return "revalidates needs a maxAge" }
    return nil
  }
}

extension Strategy.Retry {
  fileprivate var misfit: String? {
    if attempts < 1 { return "its retry has fewer than one attempt" }
    if delay < .zero || maximumDelay < .zero { return "its retry has a negative delay" }
    if !(multiplier >= 1) { return "its retry has a multiplier below 1" }
    if multiplier.isInfinite { return "its retry has an infinite multiplier" }
    if !(0...1).contains(jitter) { return "its retry has a jitter outside 0...1" }
    return nil
  }
}
