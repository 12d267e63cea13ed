import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation

@testable import SQLiteSupport

/// An app with a remote of models in memory, whose cache a test looks at.
final class CacheStore: Sendable {
  /// Where the cache is.
  enum Place: CaseIterable, Sendable { case memory, file }

  struct Offline: Error {}

  let evocation: Evocation
  let clock: ManualClock
  let local: any Repository<Car>
  let database: SQLiteDatabase?
  let remote: RepositoryMock<Car>
  private let traced = Lock<[Evocation.Trace]>([])
  private let traces = Gate.Counter()

  /// Makes the app anew on what the file holds.
  init(
    _ place: Place, _ path: String, clock: ManualClock = ManualClock(), remote cars: [Car]
  ) throws {
    let held = InMemoryRepository<Car>(cars)
    remote = RepositoryMock { call in
      guard case .find(let criteria) = call else { throw Offline() }
      return try await held.find(criteria).value
    }
    self.clock = clock
    database = place == .file ? try SQLiteDatabase(path: path) : nil
    local = try database.map { try SQLiteRepository<Car>($0) } ?? InMemoryRepository<Car>()
    let (traced, traces) = (traced, traces)
    evocation = Evocation(
      configuration: .init(
        clock: clock,
        onTrace: { trace in
          traced.withLock { $0.append(trace) }
          traces.increase()
        }))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
  }

  var fetches: Int { remote.calls.count }

  /// The sentences of the evictions that failed.
  var failures: [String] {
    traced.withLock { $0 }.filter { $0.call == "evict" }.flatMap(\.steps).compactMap { step in
      guard case .failed(let sentence) = step.outcome else { return nil }
      return sentence
    }
  }

  func failure() async {
    var count = 1
    while failures.isEmpty {
      await traces.reach(count)
      count += 1
    }
  }

  func cache(
    _ criteria: Criteria, maxAge: Duration? = nil, limits: CacheLimits = .none
  ) -> CacheRepository<ProxyCacheDataSource<Car>> {
    let cache = evocation.cache(Car.self, maxAge: maxAge, options: .init(limits: limits))
    cache.requirements = criteria
    return cache
  }

  /// What is in the local repository.
  func ids(_ criteria: Criteria = Criteria()) async throws -> [Int] {
    try await local.find(criteria).value.map(\.id)
  }
}
