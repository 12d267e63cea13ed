import Evocation
import EvocationTesting
import Testing

/// Every rule without ages, which fits a read or a write.
private let rules: [Strategy.Rule] = Evocation.RepositoryType.allCases.flatMap { target in
  [nil, target == .remote ? .local : .remote].flatMap { fallback in
    [Strategy.Synchronization.off, .upsert, .mirror].flatMap { synchronize in
      Strategy.FallbackCondition.allCases.map { condition in
        Strategy.Rule(
          target: target, fallback: fallback, synchronize: synchronize, fallsBack: condition
        )
      }
    }
  }
}

/// A repository that behaves the same way whenever it is asked.
private func repository(
  _ place: Evocation.RepositoryType, _ outcome: Strategy.Explanation.Outcome
) -> RepositoryMock<Car> {
  RepositoryMock { _ in
    switch outcome {
    case .models: [Car(id: 1)]
    case .empty: []
    case .failure: throw Outage(place: place)
    }
  }
}

private func observed(
  _ result: Evocation.Result<[Car]>,
  _ remote: RepositoryMock<Car>,
  _ local: RepositoryMock<Car>,
  like oracle: Oracle
) -> Oracle {
  var seen = oracle
  seen.origin = result.origin
  seen.isEmpty = result.data?.isEmpty ?? false
  seen.error = (result.error as? Outage)?.place
  seen.synchronizationError = (result.synchronizationError as? Outage)?.place
  seen.calls = [:]
  for (place, mock) in [(Evocation.RepositoryType.remote, remote), (.local, local)] {
    let names = mock.calls.map(\.description)
    if !names.isEmpty { seen.calls[place] = names }
  }
  return seen
}

@Suite(.timeLimit(.minutes(20))) struct RouteTests {
  @Test func `each of the nine calls goes as the design says, for every rule and outcome`()
    async throws
  {
    var count = 0
    for call in Evocation.Call.allCases {
      for rule in rules {
        guard let strategy = try? strategy(rule, for: call.action) else { continue }
        for target in Strategy.Explanation.Outcome.allCases {
          for other in Strategy.Explanation.Outcome.allCases {
            let remote = repository(.remote, rule.target == .remote ? target : other)
            let local = repository(.local, rule.target == .local ? target : other)
            let evocation = Evocation()
            evocation.register(for: Car.self).repository(remote: remote)
              .repository(local: local).strategy(strategy)
            let result = await evocation.call(call, Car(id: 1))
            let oracle = Oracle(rule, call, target: target, other: other)
            let seen = observed(result, remote, local, like: oracle)
            #expect(seen == oracle, "\(call) under \(rule): \(target), then \(other)")
            count += 1
          }
        }
      }
    }
    #expect(count == 9 * 9 * 16 + 2 * 9 * 4)
  }

  @Test func `every row of an explanation is what the router does`() async throws {
    var count = 0
    for call in Evocation.Call.allCases {
      for rule in rules + agedRules {
        guard let strategy = try? strategy(rule, for: call.action) else { continue }
        for row in strategy.explain().rows where row.action == call.action {
          try await check(row, call, strategy)
          count += 1
        }
      }
    }
    #expect(count > 500)
  }

  /// Rules under which the age of local matters.
  private var agedRules: [Strategy.Rule] {
    [nil, Evocation.RepositoryType.local].flatMap { fallback in
      [false, true].flatMap { revalidates in
        [Strategy.Synchronization.upsert, .mirror].map { synchronize in
          Strategy.Rule(
            fallback: fallback, synchronize: synchronize, maxAge: .seconds(60),
            revalidates: revalidates
          )
        }
      }
    }
  }

  private func strategy(
    _ rule: Strategy.Rule, for action: Strategy.Action
  ) throws -> Strategy {
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases { rules[action] = .remoteOnly }
    rules[action] = rule
    return try Strategy(rules: rules)
  }

  private func check(
    _ row: Strategy.Explanation.Row, _ call: Evocation.Call, _ strategy: Strategy
  ) async throws {
    let remote = Script(.remote)
    let local = Script(.local)
    let behind = Gate.Counter()
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), onTrace: { _ in behind.increase() })
    )
    evocation.register(for: Car.self).repository(remote: remote.mock)
      .repository(local: local.mock).strategy(strategy)
    var traces = 0
    if row.isFresh == true {
      _ = await evocation.call(call, Car(id: 1))
      // A rule that revalidates fetches behind the first answer, and is fresh after that.
      traces += strategy[call.action].revalidates ? 2 : 1
      await behind.reach(traces)
    }
    for event in row.events { (event.repository == .remote ? remote : local).add(event) }
    let result = await evocation.call(call, Car(id: 1))
    #expect(result.origin == row.origin, "\(row)")
    #expect((result.error as? Outage)?.place == row.error, "\(row)")
    #expect((result.synchronizationError != nil) == row.didNotFollow, "\(row)")
    let roles = result.trace.steps.map(\.role)
    #expect(roles == row.events.map(\.role), "\(row)")
    if row.revalidates { await behind.reach(traces + 2) }
  }
}

/// A repository that answers each time with the next outcome of a row, and with models after it.
private final class Script: Sendable {
  let mock: RepositoryMock<Car>
  private let outcomes: Lock<[Strategy.Explanation.Outcome]>

  init(_ place: Evocation.RepositoryType) {
    let outcomes = Lock<[Strategy.Explanation.Outcome]>([])
    self.outcomes = outcomes
    mock = RepositoryMock { _ in
      switch outcomes.withLock({ $0.isEmpty ? .models : $0.removeFirst() }) {
      case .models: [Car(id: 1)]
      case .empty: []
      case .failure: throw Outage(place: place)
      }
    }
  }

  func add(_ event: Strategy.Explanation.Event) {
    outcomes.withLock { $0.append(event.outcome) }
  }
}
