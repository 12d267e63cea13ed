import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// One call under another rule than the strategy's.
@Suite(.patient) struct GivenRuleTests {
  private let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
  private let local = RepositoryMock<Car> { _ in [Car(id: 2)] }
  private let evocation = Evocation()

  init() {
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(.remoteOnly)
  }

  @Test func `each call follows the rule that it is given, in both forms`() async {
    for call in Evocation.Call.allCases {
      let asked = local.calls.count
      let result = await evocation.call(call, Car(id: 1), rule: .localOnly)
      #expect(result.origin == .local, "\(call)")
      let called = await evocation.callback(call, Car(id: 1), rule: .localOnly)
      #expect(called.origin == .local, "\(call)")
      #expect(local.calls.count == asked + 2, "\(call)")
    }
    #expect(remote.calls.isEmpty)
    #expect(await evocation.count(model: Car.self, rule: .localOnly).origin == .local)
    #expect(await evocation.exists(model: Car.self, rule: .localOnly).origin == .local)
    #expect(remote.calls.isEmpty)
    #expect(await evocation.find(model: Car.self).origin == .remote)
  }

  @Test func `a rule that does not fit its call is an error, and nothing is asked`() async throws {
    let outbox = Strategy.Rule(target: .local, synchronize: .outbox)
    let result = await evocation.find(model: Car.self, rule: outbox)
    #expect(
      "\(try #require(result.error))"
        == "The rule for find is not valid: outbox is for writes; use true, false or mirror.")
    let called = await evocation.callback(.find, Car(id: 1), rule: outbox)
    #expect("\(try #require(called.error))" == "\(try #require(result.error))")
    let mirror = Strategy.Rule(synchronize: .mirror)
    #expect(await evocation.store([Car(id: 1)], rule: mirror).error is StrategyError)
    #expect(remote.calls.isEmpty && local.calls.isEmpty)
  }

  @Test func `for every rule, a call goes as a strategy of that rule goes`() async throws {
    let rules: [Strategy.Rule] = Evocation.RepositoryType.allCases.flatMap { target in
      [nil, target.counterpart].flatMap { fallback in
        [Strategy.Synchronization.off, .upsert].map { synchronize in
          Strategy.Rule(target: target, fallback: fallback, synchronize: synchronize)
        }
      }
    }
    for rule in rules {
      let other = Evocation()
      other.register(for: Car.self).repository(remote: remote).repository(local: local)
        .strategy(Strategy(rule))
      for call in Evocation.Call.allCases {
        let given = await evocation.call(call, Car(id: 1), rule: rule)
        let own = await other.call(call, Car(id: 1))
        #expect(given.origin == own.origin, "\(call) \(rule)")
        #expect(
          given.trace.steps.map(\.repository) == own.trace.steps.map(\.repository),
          "\(call) \(rule)")
      }
    }
  }

  @Test func `a single rule explains itself for a call`() {
    let text = Strategy.Rule.remoteFirst.explain(for: .find).description
    #expect(
      text == """
        | find | result |
        |---|---|
        | remote answers, local is synced | data from remote |
        | remote answers, syncing to local fails | data from remote; synchronizationError from local |
        | remote has nothing, local is synced | data from remote, empty |
        | remote has nothing, syncing to local fails | data from remote, empty; synchronizationError from local |
        | remote fails, local answers | data from local |
        | remote fails, local has nothing | data from local, empty |
        | remote fails, local has nothing and was never fetched | error from remote |
        | remote fails, local fails | error from local |

        - find: in a local repository that is not a TransactionalRepository, Evocation stores the answer, then removes what remote deleted; if a step fails, the steps before it remain, and the trace says so.
        """)
    let misfit = Strategy.Rule(synchronize: .mirror).explain(for: .store)
    #expect(misfit.rows.isEmpty)
    #expect(
      misfit.warnings
        == ["The rule for store is not valid: mirror is for reads; use true or false."])
    let reads = Set(Strategy.Rule(synchronize: .mirror).explain().rows.map(\.action))
    #expect(reads == [.find, .findOne])
  }
}
