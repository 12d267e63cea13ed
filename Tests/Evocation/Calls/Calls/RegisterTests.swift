import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// `register(_:remote:local:strategy:)`, and what a strategy that nobody chose says.
@Suite(.patient) struct RegisterTests {
  private let evocation = Evocation()

  @Test func `a model type is registered with both sides and a strategy at once`() async throws {
    let remote = InMemoryRepository([Car(id: 1)])
    let local = InMemoryRepository<Car>()
    try evocation.register(Car.self, remote: remote, local: local, strategy: .remoteFirst)
    #expect(try await evocation.find(Car.self).map(\.id) == [1])
    #expect(try await local.find(Criteria()).value.map(\.id) == [1])
  }

  @Test func `one side alone is enough, and shared has the same forms`() async throws {
    struct Alone: Codable, Identifiable, Sendable { var id = 1 }
    try evocation.register(Car.self, remote: InMemoryRepository([Car(id: 1)]))
    #expect(try await evocation.count(Car.self) == 1)
    try evocation.register(Car.self, local: InMemoryRepository([Car(id: 1), Car(id: 2)]))
    #expect(try await evocation.count(Car.self) == 2)
    try Evocation.register(Alone.self, remote: InMemoryRepository([Alone()]))
    #expect(try await Evocation.find(Alone.self).count == 1)
    try Evocation.register(Alone.self, local: InMemoryRepository([Alone()]))
    try Evocation.register(
      Alone.self, remote: InMemoryRepository(), local: InMemoryRepository(), strategy: .remoteFirst)
    #expect(try await Evocation.find(Alone.self).isEmpty)
    Evocation.shared.unregister(Alone.self)
  }

  @Test func `what is wrong is thrown, and what was registered stays`() async throws {
    try evocation.register(Car.self, local: InMemoryRepository([Car(id: 1)]))
    #expect(throws: EvocationError.missingRepository(.local, model: "Car")) {
      try evocation.register(Car.self, remote: InMemoryRepository(), strategy: .remoteFirst)
    }
    #expect(throws: EvocationError.outboxUnavailable(model: "Car", action: .store)) {
      try evocation.register(
        Car.self, remote: InMemoryRepository(), local: RepositoryMock<Car> { _ in [] },
        strategy: .offlineFirst)
    }
    let rule = Strategy.Rule(target: .local, synchronize: .outbox)
    #expect(throws: StrategyError.self) {
      try evocation.register(
        Car.self, remote: InMemoryRepository(), local: InMemoryRepository(),
        strategy: Strategy(rule))
    }
    #expect(try await evocation.find(Car.self).map(\.id) == [1])
  }

  @Test func `a rule that does not fit is the error of its calls, and ends nothing`() async throws {
    let rule = Strategy.Rule(target: .local, synchronize: .outbox)
    let strategy = Strategy(rule)
    let proxy = evocation.register(for: Car.self).repository(remote: InMemoryRepository())
      .repository(local: InMemoryRepository([Car(id: 1)])).strategy(strategy)
    let error = StrategyError.invalidRule(
      .find, rule, reason: "outbox is for writes; use true, false or mirror")
    #expect(await evocation.find(model: Car.self).error as? StrategyError == error)
    #expect(await evocation.storeOne(Car(id: 2)).isPending)
    #expect(throws: error) { try proxy.validate() }
    #expect(strategy.explain().warnings.first == error.description)
  }

  @Test func `one rule for reads and one for writes is a strategy, or the misfit is thrown`() throws
  {
    let reads = Strategy.Rule(target: .remote, fallback: .local, synchronize: .mirror)
    let writes = Strategy.Rule(target: .local, synchronize: .outbox)
    let strategy = try Strategy(reads: reads, writes: writes)
    for action in Strategy.Action.allCases {
      #expect(strategy[action] == (action.isRead ? reads : writes))
    }
    #expect(
      throws: StrategyError.invalidRule(
        .store, reads, reason: "mirror is for reads; use true or false")
    ) { try Strategy(reads: reads, writes: reads) }
  }

  @Test func `a write by no strategy is said once in the log, and always by validate`() async throws
  {
    let lines = Lock<[String]>([])
    let log = Evocation.Log { entry in
      if case .notice(let text) = entry { lines.withLock { $0.append(text) } }
    }
    let evocation = Evocation(configuration: .init(log: log))
    let proxy = evocation.register(for: Car.self).repository(remote: InMemoryRepository())
      .repository(local: InMemoryRepository())
    let sentence =
      "Car has no strategy, so .default() applies: a write that one repository refuses is kept in "
      + "the other alone, and Evocation never sends it later. Register Car with .offlineFirst, "
      + "which sends it later, or with .remoteFirst, under which it fails."
    #expect(try proxy.validate().first == sentence)
    #expect(try proxy.validate().dropFirst() == Strategy.default().explain().warnings[...])
    _ = await evocation.find(model: Car.self)
    log.flush()
    #expect(lines.withLock { $0 } == [])
    for id in 1...3 { _ = await evocation.storeOne(Car(id: id)) }
    log.flush()
    #expect(lines.withLock { $0 } == [sentence])
    #expect(try proxy.strategy(.default()).validate() == Strategy.default().explain().warnings)
    #expect(try proxy.strategy(.offlineFirst).validate().isEmpty)
  }
}
