import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// The ready-made rules, as the `rule` of one call and in a strategy of an app's own.
@Suite(.patient) struct ReadyMadeRuleTests {
  private let remote = InMemoryRepository([Car(id: 5)])
  private let local = InMemoryRepository((1...5).map { Car(id: $0) })

  private static let rules: [Strategy.Rule] = [
    .remoteFirst, .cacheFirst(maxAge: .zero), .staleWhileRevalidate(maxAge: .zero),
  ]

  /// Each name that a rule and a strategy have.
  private static let names: [(name: String, strategy: Strategy, rule: Strategy.Rule)] = [
    ("remoteFirst", .remoteFirst, .remoteFirst), ("localFirst", .localFirst, .localFirst),
    ("remoteOnly", .remoteOnly, .remoteOnly), ("localOnly", .localOnly, .localOnly),
    ("cacheFirst", .cacheFirst(maxAge: .seconds(60)), .cacheFirst(maxAge: .seconds(60))),
    (
      "staleWhileRevalidate", .staleWhileRevalidate(maxAge: .seconds(60)),
      .staleWhileRevalidate(maxAge: .seconds(60))
    ),
  ]

  private static let holdings: [(remote: [Int], local: [Int])] = [
    ([5], [1, 2]), ([5], []), ([], [1, 2]), ([], []),
  ]

  @Test(arguments: names, holdings)
  func `a find by a rule is a find under the strategy of its name`(
    _ named: (name: String, strategy: Strategy, rule: Strategy.Rule),
    _ holding: (remote: [Int], local: [Int])
  ) async throws {
    #expect(named.strategy[.find] == named.rule && named.strategy[.findOne] == named.rule)
    func found(_ isGiven: Bool) async throws -> [String] {
      let (remote, local) = (
        InMemoryRepository(holding.remote.map { Car(id: $0) }),
        InMemoryRepository(holding.local.map { Car(id: $0) })
      )
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
        .strategy(isGiven ? .remoteOnly : named.strategy)
      let result =
        isGiven
        ? await evocation.find(model: Car.self, rule: named.rule)
        : await evocation.find(model: Car.self)
      let held = [try await remote.find(Criteria()).value, try await local.find(Criteria()).value]
      let steps = result.trace.steps.map { "\($0.repository) \($0.role) \($0.outcome)" }
      return ["\(result.data ?? [])", "\(held[0])"] + steps
        // A refresh in the background may have saved already.
        + (named.name == "staleWhileRevalidate" ? [] : ["\(held[1])"])
    }
    #expect(try await found(true) == found(false))
  }

  @Test func `a read local first saves nothing, and a write follows in the remote`() async throws {
    let evocation = evocation()
    #expect(await evocation.find(model: Car.self, rule: .localFirst).data?.count == 5)
    #expect(try await remote.find(Criteria()).value.map(\.id) == [5])
    _ = await evocation.storeOne(Car(id: 6), rule: .localFirst)
    #expect(try await remote.find(Criteria()).value.map(\.id) == [5, 6])
    let rule = try JSONDecoder().decode(
      [Strategy.Rule].self, from: JSONEncoder().encode([Strategy.Rule.localFirst]))[0]
    _ = await evocation.storeOne(Car(id: 7), rule: rule)
    #expect(try await remote.find(Criteria()).value.map(\.id) == [5, 6, 7])
  }

  private func evocation(_ strategy: Strategy = .localOnly) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(strategy)
    return evocation
  }

  private var held: [Int] {
    get async throws { try await local.find(Criteria()).value.map(\.id) }
  }

  @Test func `a read by one removes what the server removed, like the strategy of its name`()
    async throws
  {
    #expect(await evocation().find(model: Car.self, rule: .remoteFirst).data == [Car(id: 5)])
    #expect(try await held == [5])
    _ = try await local.store([Car(id: 6)])
    let aged = await evocation().find(model: Car.self, rule: .cacheFirst(maxAge: .seconds(60)))
    #expect(aged.data == [Car(id: 5)])
    #expect(try await held == [5])
  }

  @Test func `one that revalidates removes it behind its answer`() async throws {
    let saved = Gate.Counter()
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), onTrace: { _ in saved.increase() }))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(.localOnly)
    let rule = Strategy.Rule.staleWhileRevalidate(maxAge: .seconds(60))
    #expect(await evocation.find(model: Car.self, rule: rule).data?.count == 5)
    await saved.reach(2)
    #expect(try await held == [5])
  }

  @Test func `in a strategy it does the same`() async throws {
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases { rules[action] = .remoteFirst }
    let all = [
      try Strategy(rules: rules), Strategy(Strategy.Rule.remoteFirst),
      try Strategy(reads: .remoteFirst, writes: .remoteFirst),
      try JSONDecoder().decode(
        Strategy.self, from: JSONEncoder().encode(Strategy(Strategy.Rule.remoteFirst))),
    ]
    for strategy in all {
      #expect(strategy[.find].synchronize == .mirror)
      #expect(strategy[.store].synchronize == .upsert)
      #expect(strategy[.find] == .remoteFirst)
      #expect(strategy == all[0])
    }
    _ = await evocation(all[0]).find(model: Car.self)
    #expect(try await held == [5])
  }

  @Test func `a write by one stores, updates and removes, and mirrors nothing`() async throws {
    let evocation = evocation()
    for rule in Self.rules {
      let stored = await evocation.storeOne(Car(id: 9), rule: rule)
      #expect(stored.error == nil && stored.synchronizationError == nil)
      #expect(try await held == [1, 2, 3, 4, 5, 9])
      #expect(await evocation.updateOne(Car(id: 9, year: 1), rule: rule).error == nil)
      #expect(await evocation.storeOrUpdate([Car(id: 9, year: 2)], rule: rule).error == nil)
      #expect(try await local.find(["id": 9]).value == [Car(id: 9, year: 2)])
      #expect(await evocation.removeOne(Car(id: 9), rule: rule).error == nil)
      #expect(try await held == [1, 2, 3, 4, 5])
    }
  }

  @Test func `a rule that is written out does what it says`() async throws {
    let rule = Strategy.Rule(target: .remote, fallback: .local)
    #expect(await evocation().find(model: Car.self, rule: rule).data == [Car(id: 5)])
    #expect(try await held == [1, 2, 3, 4, 5])
    var changed = Strategy.Rule.remoteFirst
    changed.synchronize = true
    #expect(await evocation().find(model: Car.self, rule: changed).data == [Car(id: 5)])
    #expect(try await held == [1, 2, 3, 4, 5])
    #expect(Strategy.default()[.find].synchronize == .upsert)
    #expect(Strategy.default()[.remove].synchronize == .upsert)
  }

  @Test func `a changed copy of one is still ready-made`() async throws {
    var rule = Strategy.Rule.remoteFirst
    rule.timeout = .seconds(5)
    #expect(await evocation().storeOne(Car(id: 9), rule: rule).error == nil)
    _ = await evocation().find(model: Car.self, rule: rule)
    #expect(try await held == [5, 9])
  }

  @Test func `each explains itself for reads and writes`() {
    for rule in Self.rules {
      #expect("\(rule.explain(for: .find))".contains("removes what remote deleted"))
      #expect(rule.explain(for: .store).rows.count > 0)
      #expect(Set(rule.explain().rows.map(\.action)) == Set(Strategy.Action.allCases))
    }
  }

  @Test func `one of its own is read back from JSON`() throws {
    let data = try JSONEncoder().encode(Strategy.Rule.remoteFirst)
    let rule = try JSONDecoder().decode(Strategy.Rule.self, from: data)
    #expect(rule == .remoteFirst && rule.synchronize == .mirror)
  }
}
