import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// What a screen costs whose rows each make a repository for the same query.
@Suite(.patient) struct ManyCachesTests {
  @Test func `Of a thousand repositories of one query, each policy is looked at once`()
    async throws
  {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .repository(remote: RepositoryMock<Car> { _ in [Car(id: 1)] })
    var repositories: [CacheRepository<ProxyCacheDataSource<Car>>] = []
    var observations: [Evocation.Observation] = []
    for row in 0..<1000 {
      let options = CacheOptions(refreshEvery: .seconds(row < 990 ? 60 : 30))
      let repository = evocation.cache(Car.self, options: options)
      repository.requirements = Criteria()
      observations.append(repository.observe { _ in })
      repositories.append(repository)
    }
    let entry = try repositories[0].binding().entry
    try await eventually("all observers") {
      entry.state.withLock { $0.subscribers.values.count { !$0.buffers.isEmpty } == 1000 }
    }
    #expect(entry.state.withLock { $0.machine.observers.policies.count } == 2)
    #expect(entry.state.withLock { $0.polled.values.count } == 1)
    observations.removeAll()
    repositories.removeLast(990)
    try await eventually("few observers") { entry.state.withLock { !$0.machine.isObserved } }
    #expect(entry.state.withLock { $0.machine.observers.policies.isEmpty })
    repositories.removeAll()
    #expect(entry.state.withLock { $0.polled.values.isEmpty && $0.subscribers.isEmpty })
  }
}
