import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

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
  _ place: Evocation.RepositoryType, _ outcome: Oracle.Outcome
) -> RepositoryMock<Car> {
  RepositoryMock { _ in
    switch outcome {
    case .models: [Car(id: 1)]
    case .empty: []
    case .failure: throw Outage(place: place)
    case .refusal: throw Refusal(place: place)
    }
  }
}

private func place(of error: (any Error)?) -> Evocation.RepositoryType? {
  (error as? Outage)?.place ?? (error as? Refusal)?.place
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
  seen.error = place(of: result.error)
  seen.synchronizationError = place(of: result.synchronizationError)
  seen.calls = [:]
  for (place, mock) in [(Evocation.RepositoryType.remote, remote), (.local, local)] {
    let names = mock.calls.map(\.description)
    if !names.isEmpty { seen.calls[place] = names }
  }
  return seen
}

@Suite(.patient) struct RouteTests {
  @Test func `each of the nine calls goes as the design says, for every rule and outcome`()
    async throws
  {
    var count = 0
    for call in Evocation.Call.allCases {
      for rule in rules {
        guard let strategy = try? Strategy(rule, for: call.action) else { continue }
        for target in Oracle.Outcome.allCases {
          for other in Oracle.Outcome.allCases {
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
    #expect(count == 9 * 16 * 24 + 2 * 16 * 6)
  }

  @Test func `every row of an explanation is what the router does`() async throws {
    var count = 0
    for call in Evocation.Call.allCases {
      for rule in rules + agedRules {
        guard let strategy = try? Strategy(rule, for: call.action) else { continue }
        for row in strategy.explain().rows where row.action == call.action {
          try await check(row, call, strategy)
          count += 1
        }
      }
    }
    #expect(count > 500)
  }

  @Test(arguments: [Evocation.Call.find, .findOne, .store, .storeOne, .update, .remove])
  func `under onTransientError only a failure that may pass is answered by the fallback`(
    call: Evocation.Call
  ) async {
    let errors: [(any Error, Bool)] =
      FailureKind.allCases.map { (Refusal(place: .remote, failureKind: $0), $0 == .transient) }
      + [
        (Outage(place: .remote), true),
        (EvocationError.timedOut(.remote, model: "Car", after: .seconds(1)), true),
        (EvocationError.missingRepository(.remote, model: "Car"), false),
        (EvocationError.unknownKey("wheels", model: "Car", nearest: []), false),
        (DecodingError.valueNotFound(Int.self, .init(codingPath: [], debugDescription: "")), false),
        (CancellationError(), false),
      ]
    for (error, fallsBack) in errors {
      let local = RepositoryMock<Car> { _ in [Car(id: 2)] }
      let evocation = Evocation()
      evocation.register(for: Car.self).repository(remote: RepositoryMock<Car> { _ in throw error })
        .repository(local: local)
        .strategy(Strategy(.init(fallback: .local, fallsBack: .onTransientError)))
      let result = await evocation.call(call, Car(id: 1))
      #expect(result.origin == (fallsBack ? .local : nil), "\(error)")
      #expect(local.calls.count == (fallsBack ? 1 : 0), "\(error)")
      #expect((result.error == nil) == fallsBack, "\(error)")
    }
  }

  @Test func `under onTransientError a target that is not registered does not fall back`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: RepositoryMock { _ in [Car(id: 2)] })
      .strategy(Strategy(.init(fallback: .local, fallsBack: .onTransientError)))
    let result = await evocation.find(model: Car.self)
    #expect(result.error as? EvocationError == .missingRepository(.remote, model: "Car"))
    #expect(result.data == nil)
  }

  @Test func `a fallback that is missing is named only where it would have been asked`() async {
    for (error, isNamed) in [
      (Outage(place: .remote) as any Error, true), (Refusal(place: .remote), false),
    ] {
      let evocation = Evocation()
      evocation.register(for: Car.self).repository(remote: RepositoryMock<Car> { _ in throw error })
        .strategy(Strategy(.init(fallback: .local, fallsBack: .onTransientError)))
      let trace = await evocation.find(model: Car.self).trace
      #expect("\(trace)".contains("is not registered") == isNamed)
    }
  }

  /// Rules under which the age of local matters.
  private var agedRules: [Strategy.Rule] {
    [nil, Evocation.RepositoryType.local].flatMap { fallback in
      [false, true].flatMap { revalidates in
        [Strategy.Synchronization.upsert, .mirror].flatMap { synchronize in
          [Strategy.FallbackCondition.onError, .onTransientError].map { condition in
            Strategy.Rule(
              fallback: fallback, synchronize: synchronize, fallsBack: condition,
              maxAge: .seconds(60), revalidates: revalidates
            )
          }
        }
      }
    }
  }

  private func check(
    _ row: Strategy.Explanation.Row, _ call: Evocation.Call, _ strategy: Strategy
  ) async throws {
    let remote = Script(.remote)
    let local = Script(.local)
    let (behind, clock) = (Gate.Counter(), ManualClock())
    let evocation = Evocation(
      configuration: .init(clock: clock, onTrace: { _ in behind.increase() })
    )
    evocation.register(for: Car.self).repository(remote: remote.mock)
      .repository(local: local.mock).strategy(strategy)
    var traces = 0
    if row.isFresh == true {
      _ = await evocation.call(call, Car(id: 1))
      // A rule that revalidates fetches behind the first answer, and is fresh after that.
      traces += strategy[call.action].revalidates ? 2 : 1
      await behind.reach(traces)
    } else if call.action.isRead, !row.events.contains(where: { $0.outcome == .unknown }) {
      _ = await evocation.call(call, Car(id: 1), rule: .init())
      clock.advance(by: .seconds(61))
      traces += 1
    }
    for event in row.events { (event.repository == .remote ? remote : local).add(event) }
    let result = await evocation.call(call, Car(id: 1))
    #expect(result.origin == row.origin, "\(row)")
    #expect(place(of: result.error) == row.error, "\(row)")
    #expect((result.synchronizationError != nil) == row.didNotFollow, "\(row)")
    let roles = result.trace.steps.map(\.role)
    #expect(roles == row.events.map(\.role), "\(row)")
    if row.revalidates { await behind.reach(traces + 2) }
  }
}

/// A repository that answers each time with the next outcome of a row, and with models after it.
private final class Script: Sendable {
  let mock: RepositoryMock<Car>
  private let outcomes: Lock<[Oracle.Outcome]>

  init(_ place: Evocation.RepositoryType) {
    let outcomes = Lock<[Oracle.Outcome]>([])
    self.outcomes = outcomes
    mock = RepositoryMock { _ in
      switch outcomes.withLock({ $0.isEmpty ? .models : $0.removeFirst() }) {
      case .models: [Car(id: 1)]
      case .empty: []
      case .failure: throw Outage(place: place)
      case .refusal: throw Refusal(place: place)
      }
    }
  }

  func add(_ event: Strategy.Explanation.Event) {
    outcomes.withLock { $0.append(Oracle.Outcome(event)) }
  }
}
