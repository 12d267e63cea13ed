extension Strategy.Explanation {
  /// Returns the rows of a rule, by following its route through every outcome.
  static func rows(for rule: Strategy.Rule, _ action: Strategy.Action) -> [Row] {
    let usesAge = action.isRead && rule.maxAge != nil
    return (usesAge ? [true, false] : [nil]).flatMap { isFresh in
      let situation = Route.Situation(
        action: action, hasOutbox: true, isFresh: isFresh ?? false
      )
      var route = Route(rule, situation)
      let step = route.begin()
      let tellsRefusals = rule.fallback != nil && rule.fallsBack == .onTransientError
      let walk = Walk(
        tellsRefusals: tellsRefusals, rollsBack: rule.rollsBack && !action.isRead,
        mayBeUnknown: action.isRead && isFresh != true)
      return walk.ends(route, step).map { events, verdict in
        Row(
          action, isFresh, events: events, verdict: verdict,
          needsOutbox: rule.synchronize == .outbox)
      }
    }
  }
}

/// Follows a route in every way that it can go.
private struct Walk {
  typealias Event = Strategy.Explanation.Event

  /// Whether to list the target's refusals apart from failures that may pass.
  let tellsRefusals: Bool
  /// Whether to list the second repository's refusals apart.
  let rollsBack: Bool
  /// Whether local may have been asked for criteria that were never fetched.
  let mayBeUnknown: Bool

  /// Returns how calls end that have reached a step: what happens from there on, and the verdict.
  func ends(_ route: Route, _ step: Route.Step) -> [([Event], Route.Verdict)] {
    if case .end(let verdict) = step { return [([], verdict)] }
    var empty: [([Event], Route.Verdict)] = []
    return next(step).flatMap { event in
      var route = route
      let step = route.advance(event.routed)
      var rest = ends(route, step)
      switch event.outcome {
      case .empty: empty = rest
      // It has a row only where it ends otherwise than an answer without models.
      case .unknown: rest.removeAll { end in empty.contains { $0 == end } }
      case .models, .failure: break
      }
      return rest.map { ([event] + $0.0, $0.1) }
    }
  }

  /// Returns what can happen in a step.
  private func next(_ step: Route.Step) -> [Event] {
    switch step {
    case .end: []
    case .ask(let type, let role, _):
      Strategy.Explanation.Outcome.allCases
        .filter { $0 != .unknown || mayBeUnknown && type == .local && role != .target }
        .map { Event(type, role, outcome: $0) }
        + (tellsRefusals && role == .target
          ? [Event(type, role, outcome: .failure, isRefusal: true)] : [])
    case .synchronize(let type):
      [.models, .failure].map { Event(type, .synchronization, outcome: $0) }
        + (rollsBack ? [Event(type, .synchronization, outcome: .failure, isRefusal: true)] : [])
    case .rollBack(let type): [.models, .failure].map { Event(type, .rollback, outcome: $0) }
    }
  }
}

extension Strategy.Explanation.Event {
  fileprivate init(
    _ repository: Evocation.RepositoryType, _ role: Evocation.Metadata.Role,
    outcome: Strategy.Explanation.Outcome, isRefusal: Bool = false
  ) {
    self.init(repository: repository, role: role, outcome: outcome, isRefusal: isRefusal)
  }

  fileprivate var routed: Route.Outcome {
    switch outcome {
    case .models: .models
    case .empty: .empty
    case .unknown: .unknown
    case .failure: isRefusal ? .refusal : .failure
    }
  }
}

extension Strategy.Explanation.Row {
  init(
    _ action: Strategy.Action,
    _ isFresh: Bool?,
    events: [Strategy.Explanation.Event],
    verdict: Route.Verdict,
    needsOutbox: Bool
  ) {
    self.action = action
    self.isFresh = isFresh
    self.events = events
    self.needsOutbox = needsOutbox
    origin = verdict.origin
    if case .of(let type) = verdict.error { error = type } else { error = nil }
    didNotFollow = verdict.didNotFollow
    revalidates = verdict.revalidates
  }
}
