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
      return walk(route, step, []).map { events, verdict in
        Row(action, isFresh, events, verdict, needsOutbox: rule.synchronize == .outbox)
      }
    }
  }

  private static func walk(
    _ route: Route, _ step: Route.Step, _ events: [Event]
  ) -> [([Event], Route.Verdict)] {
    switch step {
    case .end(let verdict):
      return [(events, verdict)]
    case .ask(let type, let role):
      return Outcome.allCases.flatMap {
        follow(route, events, Event(repository: type, role: role, outcome: $0))
      }
    case .synchronize(let type):
      return [Outcome.models, .failure].flatMap {
        follow(route, events, Event(repository: type, role: .synchronization, outcome: $0))
      }
    }
  }

  private static func follow(
    _ route: Route, _ events: [Event], _ event: Event
  ) -> [([Event], Route.Verdict)] {
    var route = route
    let step = route.advance(event.outcome.routed)
    return walk(route, step, events + [event])
  }
}

extension Strategy.Explanation.Outcome {
  var routed: Route.Outcome {
    switch self {
    case .models: .models
    case .empty: .empty
    case .failure: .failure
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
