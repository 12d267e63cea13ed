import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// A remote that fails before local has anything.
@Suite(.patient) struct UnknownAnswerTests {
  /// Whether the service answers, and with which models.
  private let answers = Lock<[Car]?>(nil)
  private let remote: RepositoryMock<Car>

  init() {
    remote = RepositoryMock { [answers] _ in
      guard let cars = answers.withLock({ $0 }) else { throw Outage(place: .remote) }
      return cars
    }
  }

  private static let strategies: [(String, Strategy)] = [
    ("default", .default()), ("remoteFirst", .remoteFirst),
    ("cacheFirst", .cacheFirst(maxAge: .seconds(60))),
    ("staleWhileRevalidate", .staleWhileRevalidate(maxAge: .seconds(60))),
    ("offlineFirst", .offlineFirst),
  ]

  private static let rules: [Strategy.Rule] =
    [.remoteFirst, .cacheFirst(maxAge: .seconds(60)), .staleWhileRevalidate(maxAge: .seconds(60))]
    + Strategy.FallbackCondition.allCases.flatMap { condition in
      [Strategy.Synchronization.off, .upsert, .mirror].flatMap { synchronize in
        [nil, Strategy.Retry(attempts: 1)].map { retry in
          Strategy.Rule(
            fallback: .local, synchronize: synchronize, fallsBack: condition, retry: retry)
        }
      }
    }

  private func evocation(
    _ local: some Repository<Car>, _ strategy: Strategy = .remoteFirst
  ) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(strategy)
    evocation.outbox.pause()
    return evocation
  }

  /// Expects every read, in every form, to end with the remote's error.
  private func expectFailure(
    _ evocation: Evocation, rule: Strategy.Rule? = nil, _ name: String
  ) async {
    let failure = Outage(place: .remote)
    let found = await evocation.find(model: Car.self, rule: rule)
    #expect(found.data == nil && found.origin == nil && !found.didFallBack, "\(name)")
    #expect(found.error as? Outage == failure, "\(name)")
    #expect("\(found.trace)".contains("remote failed"), "\(name)")
    #expect("\(found.trace)".contains("returned nothing"), "\(name)")
    let one = await evocation.findOne(model: Car.self, criteria: ["year": 1], rule: rule)
    #expect(one.error as? Outage == failure, "\(name)")
    let count = await evocation.count(model: Car.self, rule: rule)
    #expect(count.data == nil && count.error as? Outage == failure, "\(name)")
    let exists = await evocation.exists(model: Car.self, rule: rule)
    #expect(exists.data == nil && exists.error as? Outage == failure, "\(name)")
    let called = await withCheckedContinuation { continuation in
      _ = evocation.find(model: Car.self, rule: rule) { continuation.resume(returning: $0) }
    }
    #expect(called.data == nil && called.error as? Outage == failure, "\(name)")
    await #expect(throws: failure, "\(name)") {
      try await evocation.find(Car.self, where: \.year == 1970, rule: rule)
    }
    await #expect(throws: failure, "\(name)") {
      try await evocation.findOne(Car.self, id: 7, rule: rule)
    }
    await #expect(throws: failure, "\(name)") {
      try await evocation.count(Car.self, where: \.year == 1970, rule: rule)
    }
    await #expect(throws: failure, "\(name)") {
      try await evocation.exists(Car.self, where: \.year == 1970, rule: rule)
    }
  }

  @Test func `the first read without a connection is an error, and not an empty list`() async {
    for (name, strategy) in Self.strategies {
      await expectFailure(evocation(InMemoryRepository<Car>(), strategy), name)
    }
    for rule in Self.rules {
      await expectFailure(evocation(InMemoryRepository<Car>()), rule: rule, "\(rule)")
    }
  }

  @Test func `so it is with a local repository of the app's own`() async {
    let own = OwnStore(base: InMemoryRepository<Car>())
    for (name, strategy) in Self.strategies where name != "offlineFirst" {
      await expectFailure(evocation(own, strategy), name)
    }
  }

  @Test func `models in local are an answer, whoever brought them`() async throws {
    for (name, strategy) in Self.strategies {
      let evocation = evocation(InMemoryRepository([Car(id: 7)]), strategy)
      let found = await evocation.find(model: Car.self)
      #expect(found.data == [Car(id: 7)] && found.origin == .local && found.error == nil, "\(name)")
      #expect(try await evocation.findOne(Car.self, id: 7) == Car(id: 7), "\(name)")
      #expect(try await evocation.count(Car.self) == 1, "\(name)")
      // The server may have others, of which nobody here knows.
      await #expect(throws: Outage(place: .remote)) {
        try await evocation.findOne(Car.self, id: 8)
      }
    }
  }

  @Test func `an empty answer that a fetch brought stays an answer`() async throws {
    for (name, strategy) in Self.strategies {
      let evocation = evocation(InMemoryRepository<Car>(), strategy)
      answers.withLock { $0 = [] }
      #expect(try await evocation.find(Car.self).isEmpty)
      #expect(try await evocation.findOne(Car.self, id: 7) == nil)
      answers.withLock { $0 = nil }
      try await evocation.invalidate(Car.self)
      let found = await evocation.find(model: Car.self)
      #expect(found.data == [] && found.origin == .local && found.error == nil, "\(name)")
      #expect(try await evocation.findOne(Car.self, id: 7) == nil, "\(name)")
      #expect(try await evocation.count(Car.self) == 0, "\(name)")
      #expect(try await !evocation.exists(Car.self), "\(name)")
    }
  }

  @Test func `a fetch of a list answers for the first of it too`() async throws {
    let evocation = evocation(InMemoryRepository<Car>())
    answers.withLock { $0 = [] }
    #expect(try await evocation.find(Car.self, where: \.year == 1).isEmpty)
    answers.withLock { $0 = nil }
    #expect(try await evocation.findOne(Car.self, where: \.year == 1) == nil)
  }

  @Test func `what the app removed after a fetch is gone, and no error`() async throws {
    let evocation = evocation(InMemoryRepository<Car>(), .offlineFirst)
    answers.withLock { $0 = [Car(id: 7)] }
    #expect(try await evocation.find(Car.self) == [Car(id: 7)])
    answers.withLock { $0 = nil }
    #expect(await evocation.removeOne(Car(id: 7)).error == nil)
    let found = await evocation.find(model: Car.self)
    #expect(found.data == [] && found.origin == .local && found.error == nil)
  }

  @Test func `unsent writes are models, and an unsent removal is none`() async throws {
    let evocation = evocation(InMemoryRepository<Car>(), .offlineFirst)
    #expect(await evocation.storeOne(Car(id: 7)).isPending)
    #expect(try await evocation.find(Car.self) == [Car(id: 7)])
    #expect(try await evocation.findOne(Car.self, id: 7) == Car(id: 7))
    await #expect(throws: Outage(place: .remote)) {
      try await evocation.find(Car.self, where: \.year == 1)
    }
  }

  @Test func `a cleared cache was not fetched`() async throws {
    let evocation = evocation(InMemoryRepository<Car>())
    answers.withLock { $0 = [] }
    let cache = evocation.cache(Car.self)
    _ = try await cache.refresh()
    answers.withLock { $0 = nil }
    #expect(try await evocation.find(Car.self).isEmpty)
    try await cache.clear()
    await #expect(throws: Outage(place: .remote)) { try await evocation.find(Car.self) }
  }

  @Test func `an empty answer of the remote is one, though local was asked after it`() async {
    let evocation = evocation(InMemoryRepository<Car>())
    answers.withLock { $0 = [] }
    let rule = Strategy.Rule(fallback: .local, synchronize: false, fallsBack: .onErrorOrEmpty)
    let found = await evocation.find(model: Car.self, rule: rule)
    #expect(found.data == [] && found.origin == .local && found.error == nil)
  }

  @Test func `a remote that answers for a local that failed is believed, with nothing too`() async {
    let local = RepositoryMock<Car> { _ in throw Outage(place: .local) }
    answers.withLock { $0 = [] }
    let found = await evocation(local, .localFirst).find(model: Car.self)
    #expect(found.data == [] && found.origin == .remote && found.error == nil)
  }
}

/// A local repository of an app's own, without transactions and a ledger.
private struct OwnStore: ForwardingRepository {
  let base: InMemoryRepository<Car>
}
