import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Values that are asked for at once, more of them than the limits keep.
@Suite(.patient) struct AwaitedEvictionTests {
  private let ledger = InMemoryFetchLedger()

  private func evocation(_ configuration: Evocation.Configuration) -> Evocation {
    let cars = (0..<100).map { Car(id: $0, year: $0) }
    let evocation = Evocation(configuration: configuration)
    evocation.register(for: Car.self).repository(remote: InMemoryRepository(cars))
      .repository(local: InMemoryRepository<Car>()).strategy(.remoteFirst)
    return evocation
  }

  /// Asks for the cars of so many years at once, each by a cache of its own.
  private func values(
    _ count: Int, limit: Int, in evocation: Evocation
  ) async throws -> [[Car]] {
    try await withThrowingTaskGroup(of: (Int, [Car]).self) { group in
      for year in 0..<count {
        group.addTask {
          let options = CacheOptions(limits: CacheLimits(count: limit))
          let cache = evocation.cache(
            Car.self, where: \.year == year, maxAge: .seconds(60), options: options)
          return (year, try await cache.value())
        }
      }
      return try await group.reduce(into: Array(repeating: [], count: count)) {
        $0[$1.0] = $1.1
      }
    }
  }

  @Test(arguments: [(3, 1), (100, 5)])
  func `each has its content, whatever the limit, and nobody is told of a clearing`(
    _ count: Int, _ limit: Int
  ) async throws {
    let expected = (0..<count).map { [Car(id: $0, year: $0)] }
    for _ in 0..<(300 / count) {
      #expect(try await values(count, limit: limit, in: evocation(.init())) == expected)
      let still = evocation(.init(clock: ManualClock()))
      #expect(try await values(count, limit: limit, in: still) == expected)
    }
  }

  @Test func `the limit holds again when everybody has read`() async throws {
    let evocation = evocation(.init(clock: ManualClock(), ledger: ledger))
    _ = try await values(20, limit: 2, in: evocation)
    try await eventually("the limit holds") { try await ledger.records(prefix: "").count <= 2 }
    // The last ones are there, without a request.
    #expect(try await ledger.records(prefix: "").count > 0)
  }

  /// A ledger of which one look at the records takes long.
  private final class LingeringLedger: ForwardingLedger {
    let base = InMemoryFetchLedger()
    let isLingering = Lock(false)
    let gate = Gate()
    let looks = Lock(0)

    func records(prefix: String) async throws -> FetchRecords {
      let records = try await base.records(prefix: prefix)
      looks.withLock { $0 += 1 }
      let lingers = isLingering.withLock { isLingering in
        defer { isLingering = false }
        return isLingering
      }
      if lingers { try await gate.pass() }
      return records
    }
  }

  /// Cars that are found when the gate is open.
  private struct SlowCars: ForwardingRepository {
    let base: InMemoryRepository<Car>
    let gate = Gate()
    let isSlow = Lock(false)

    func find(_ criteria: Criteria) async throws -> Response<[Car]> {
      if isSlow.withLock({ $0 }) { try await gate.pass() }
      return try await base.find(criteria)
    }
  }

  private func cache(
    _ year: Int, limit: Int, in evocation: Evocation
  ) -> CacheRepository<ProxyCacheDataSource<Car>> {
    evocation.cache(
      Car.self, where: \.year == year, maxAge: .seconds(60),
      options: CacheOptions(limits: CacheLimits(count: limit)))
  }

  @Test func `two deletions at once do not each take what the other keeps`() async throws {
    let (ledger, cars) = (LingeringLedger(), SlowCars(base: InMemoryRepository()))
    let evocation = Evocation(configuration: .init(clock: ManualClock(), ledger: ledger))
    evocation.register(for: Car.self).repository(remote: InMemoryRepository([]))
      .repository(local: cars).strategy(.remoteFirst)
    let (first, second) = (
      cache(0, limit: 1, in: evocation), cache(1, limit: 1, in: evocation)
    )
    try await first.update([Car(id: 0, year: 0)])
    cars.isSlow.withLock { $0 = true }
    let reading = Task { try await first.value() }
    await cars.gate.arrivals(1)
    cars.isSlow.withLock { $0 = false }
    // The first is in use, so both are kept until it has been read.
    try await second.update([Car(id: 1, year: 1)])
    ledger.isLingering.withLock { $0 = true }
    cars.gate.open()
    _ = try await reading.value
    await ledger.gate.arrivals(1)
    // What the end of the reading chooses from is old by now.
    try await first.update([Car(id: 0, year: 0)])
    #expect(try await ledger.base.records(prefix: "").count == 1)
    let looks = ledger.looks.withLock { $0 }
    ledger.gate.open()
    try await eventually("another look") { ledger.looks.withLock { $0 } > looks }
    #expect(try await ledger.base.records(prefix: "").count == 1)
  }

  @Test func `the limit holds when a fetch ends after one that began later`() async throws {
    let (clock, cars) = (ManualClock(), SlowCars(base: InMemoryRepository([])))
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    evocation.register(for: Car.self).repository(remote: cars)
      .repository(local: InMemoryRepository<Car>()).strategy(.remoteFirst)
    let (first, second) = (
      cache(0, limit: 1, in: evocation), cache(1, limit: 1, in: evocation)
    )
    cars.isSlow.withLock { $0 = true }
    let refresh = Task { try await first.refresh() }
    await cars.gate.arrivals(1)
    cars.isSlow.withLock { $0 = false }
    clock.advance(by: .seconds(1))
    #expect(try await second.refresh() == .successful)
    cars.gate.open()
    #expect(try await refresh.value == .successful)
    try await eventually("the limit holds") {
      try await ledger.records(prefix: "").count == 1
    }
  }

  @Test func `a cache that the app clears while it is awaited is still told so`() async throws {
    let gate = Gate()
    let source = FakeSource(behind: gate)
    let repository = CacheBench().repository(source)
    let value = Task { try await repository.value() }
    await gate.arrivals(1)
    try await repository.clear()
    gate.open()
    await #expect(throws: (any Error).self) { try await value.value }
  }
}
