extension Strategy.Explanation {
  /// Walks the route through every outcome.
  static func rows(for rule: Strategy.Rule, _ action: Strategy.Action) -> [Row] {
    let usesAge = action.isRead && rule.maxAge != nil
    return (usesAge ? [true, false] : [nil]).flatMap { isFresh in
      let situation = Route.Situation(
        action: action, hasOutbox: true, isFresh: isFresh ?? false
      )
      var route = Route(rule, situation)
      let step = route.begin()
      let tellsRefusals = rule.fallback != nil && rule.fallsBack == .onTransientError
      return walk(route, step, [], tellsRefusals: tellsRefusals).map { events, verdict in
        Row(action, isFresh, events, verdict, needsOutbox: rule.synchronize == .outbox)
      }
    }
  }

  private static func walk(
    _ route: Route, _ step: Route.Step, _ events: [Event], tellsRefusals: Bool
  ) -> [([Event], Route.Verdict)] {
    let next: [Event]
    switch step {
    case .end(let verdict):
      return [(events, verdict)]
    case .ask(let type, let role):
      next =
        Outcome.allCases.map { Event(type, role, $0) }
        + (tellsRefusals && role == .target ? [Event(type, role, .failure, isRefusal: true)] : [])
    case .synchronize(let type):
      next = [Outcome.models, .failure].map { Event(type, .synchronization, $0) }
    }
    return next.flatMap { event in
      var route = route
      let step = route.advance(event.routed)
      return walk(route, step, events + [event], tellsRefusals: tellsRefusals)
    }
  }
}

extension Strategy.Explanation.Event {
  fileprivate init(
    _ repository: Evocation.RepositoryType, _ role: Evocation.Metadata.Role,
    _ outcome: Strategy.Explanation.Outcome, isRefusal: Bool = false
  ) {
    self.init(repository: repository, role: role, outcome: outcome, isRefusal: isRefusal)
  }

  fileprivate var routed: Route.Outcome {
    switch outcome {
    case .models: .models
    case .empty: .empty
    case .failure: isRefusal ? .refusal : .failure
    }
  }
}

extension Strategy.Explanation.Row {
  init(
    _ action: Strategy.Action,
    _ isFresh: Bool?,
    _ events: [Strategy.Explanation.Event],
    _ verdict: Route.Verdict,
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
