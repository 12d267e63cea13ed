import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// `count` and `exists`: routed like `find`, by find's rule, and never synchronized.
@Suite(.patient) struct CountTests {
  private let clock = ManualClock()

  private func evocation(
    _ rule: Strategy.Rule, remote: some Repository<Car>, local: some Repository<Car>
  ) throws -> Evocation {
    var rules = Dictionary(
      uniqueKeysWithValues: Strategy.Action.allCases.map { ($0, Strategy.Rule.localOnly) })
    rules[.find] = rule
    let evocation = Evocation(configuration: .init(clock: clock))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(try Strategy(rules: rules))
    return evocation
  }

  private func mock(_ count: Int) -> RepositoryMock<Car> {
    RepositoryMock { _ in (0..<count).map { Car(id: $0) } }
  }

  private var broken: RepositoryMock<Car> { RepositoryMock { _ in throw Outage(place: .remote) } }

  @Test func `The target of find's rule counts, and nobody is synchronized`() async throws {
    for synchronize in [Strategy.Synchronization.off, .upsert, .mirror] {
      for held in 0...2 {
        let (remote, local) = (mock(held), mock(7))
        let evocation = try evocation(
          .init(target: .remote, synchronize: synchronize), remote: remote, local: local)
        let count = await evocation.count(model: Car.self, criteria: ["id": 1])
        #expect(count.data == held)
        #expect(count.origin == .remote)
        #expect(count.error == nil)
        let exists = await evocation.exists(model: Car.self)
        #expect(exists.data == (held > 0))
        #expect(exists.metadata[.local] == nil)
        #expect(remote.calls.map(\.description) == ["find", "findOne"])
        #expect(local.calls.isEmpty)
      }
    }
  }

  @Test func `A counterpart that is not registered is not missed`() async throws {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: mock(3))
      .strategy(Strategy(Strategy.Rule(target: .remote)))
    let count = await evocation.count(model: Car.self)
    #expect(count.data == 3)
    #expect(count.error == nil)
    #expect(await evocation.find(model: Car.self).error as? EvocationError == .missingRepository)
  }

  @Test func `The fallback counts where the target fails, and where both do the error is told`()
    async throws
  {
    let rule = Strategy.Rule(target: .remote, fallback: .local)
    let fallen = try evocation(rule, remote: broken, local: mock(2))
    let count = await fallen.count(model: Car.self)
    #expect(count.data == 2)
    #expect(count.origin == .local)
    #expect(count.didFallBack)
    #expect(await fallen.exists(model: Car.self).data == true)
    let failed = try evocation(rule, remote: broken, local: broken)
    #expect(await failed.count(model: Car.self).data == nil)
    #expect(await failed.exists(model: Car.self).error is Outage)
    #expect(await failed.exists(model: Car.self).data == nil)
  }

  @Test func `None is an empty answer to a rule that falls back on those`() async throws {
    let rule = Strategy.Rule(target: .remote, fallback: .local, fallsBack: .onErrorOrEmpty)
    let evocation = try evocation(rule, remote: mock(0), local: mock(2))
    #expect(await evocation.count(model: Car.self).data == 2)
    #expect(await evocation.exists(model: Car.self).origin == .local)
    let careful = try self.evocation(
      .init(target: .remote, fallback: .local), remote: mock(0), local: mock(2))
    #expect(await careful.count(model: Car.self).data == 0)
    #expect(await careful.exists(model: Car.self).data == false)
  }

  @Test func `Local counts while what was fetched of the criteria is fresh, and not later`()
    async throws
  {
    for revalidates in [false, true] {
      let rule = Strategy.Rule(
        target: .remote, maxAge: .seconds(10), revalidates: revalidates)
      let remote = mock(3)
      let evocation = try evocation(rule, remote: remote, local: InMemoryRepository<Car>())
      #expect(await evocation.count(model: Car.self).origin == .remote)
      #expect(await evocation.count(model: Car.self).origin == .remote)
      _ = await evocation.find(model: Car.self)
      let fresh = await evocation.count(model: Car.self)
      #expect(fresh.data == 3)
      #expect(fresh.origin == .local)
      #expect(await evocation.exists(model: Car.self).origin == .local)
      #expect(await evocation.count(model: Car.self, criteria: ["id": 1]).origin == .remote)
      clock.advance(by: .seconds(11))
      #expect(await evocation.count(model: Car.self).origin == .remote)
      #expect(remote.calls.map(\.description) == Array(repeating: "find", count: 5))
    }
  }

  @Test func `A limit and an offset count what find would give`() async throws {
    let local = InMemoryRepository((1...5).map { Car(id: $0) })
    let evocation = try evocation(.localOnly, remote: mock(0), local: local)
    for criteria in [
      Criteria(), Criteria().limit(2), Criteria().limit(0), Criteria().offset(4).limit(3),
      Criteria().offset(9), ["id": 3], ["id": 9],
    ] {
      let found = await evocation.find(model: Car.self, criteria: criteria).data?.count
      #expect(await evocation.count(model: Car.self, criteria: criteria).data == found)
      #expect(await evocation.exists(model: Car.self, criteria: criteria).data == (found != 0))
    }
    let unknown = await evocation.count(model: Car.self, criteria: ["colour": "red"])
    #expect(unknown.error as? EvocationError == .unknownKey("colour", model: "Car", nearest: []))
  }

  @Test func `A repository that cannot count is asked to find`() async throws {
    let plain = PlainGarage()
    let evocation = try evocation(.localOnly, remote: mock(0), local: plain)
    #expect(await evocation.count(model: Car.self, criteria: Criteria().limit(2)).data == 2)
    #expect(await evocation.exists(model: Car.self).data == true)
    #expect(await evocation.exists(model: Car.self, criteria: ["id": 9]).data == false)
  }

  @Test func `A callback repository counts by finding, and nothing is none`() async throws {
    let answers = Lock<[Evocation.Result<[Car]>]>([
      .init(data: [Car(id: 1), Car(id: 2)], values: ["page": 1]), .init(),
      .init(error: Outage(place: .local)), .init(data: [Car(id: 1)]), .init(),
    ])
    let evocation = Evocation()
    evocation.register(for: Car.self)
      .repository(
        local: CallbackScript { _, answer in answer(answers.withLock { $0.removeFirst() }) }
      )
      .strategy(.localOnly)
    #expect(await evocation.count(model: Car.self).data == 2)
    #expect(await evocation.count(model: Car.self).data == 0)
    #expect(await evocation.count(model: Car.self).error is Outage)
    #expect(await evocation.exists(model: Car.self).data == true)
    #expect(await evocation.exists(model: Car.self).data == false)
  }

  @Test func `Callbacks are called, and the trace says what was counted`() async throws {
    let evocation = try evocation(.localOnly, remote: mock(0), local: mock(4))
    let seen = Lock<[String]>([])
    await evocation.count(model: Car.self) { result in
      seen.withLock { $0.append("\(result.data ?? -1) \(result.trace)") }
    }.value
    await evocation.exists(model: Car.self) { result in
      seen.withLock { $0.append("\(result.data ?? false) \(result.trace.call)") }
    }.value
    let texts = seen.withLock { $0 }
    #expect(texts.first?.hasPrefix("4 count Car: local returned 4 models") == true)
    #expect(texts.last == "true exists")
  }

  @Test func `A model that nobody registered is an error`() async {
    let evocation = Evocation()
    #expect(await evocation.count(model: Car.self).error as? EvocationError == .proxyNotFound)
    #expect(await evocation.exists(model: Car.self).data == nil)
  }
}

/// A repository that has what every repository has to have, and no more.
private struct PlainGarage: ForwardingRepository {
  let base = InMemoryRepository((1...3).map { Car(id: $0) })
}
