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
