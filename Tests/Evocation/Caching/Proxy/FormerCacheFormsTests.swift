import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What was written before goes on working for one version.
@Suite(.patient) struct FormerCacheFormsTests {
  /// Asked for as this, so that what is deprecated does not warn in the tests.
  private protocol Written: Sendable {
    func caches(
      _ evocation: Evocation
    ) -> [CacheRepository<ProxyCacheDataSource<Car>>]
    func lists(
      _ evocation: Evocation
    ) -> [PagingCacheRepository<ProxyPagingCacheDataSource<Car>>]
    @MainActor func models(_ evocation: Evocation) -> ObservedModels<Car>
    var freshness: [Freshness] { get }
    func signOut(_ outbox: Outbox) async throws
    var failedList: CacheError { get }
  }

  private struct Before: Written {
    @available(*, deprecated)
    func caches(
      _ evocation: Evocation
    ) -> [CacheRepository<ProxyCacheDataSource<Car>>] {
      [
        evocation.cache(
          for: Car.self, maxAge: .seconds(1), refreshEvery: .seconds(2), maxUsableAge: .seconds(3),
          limits: .init(count: 4), saving: .upsert, automaticallyRefresh: false),
        Evocation.cache(for: Car.self),
      ]
    }

    @available(*, deprecated)
    func lists(
      _ evocation: Evocation
    ) -> [PagingCacheRepository<ProxyPagingCacheDataSource<Car>>] {
      let refreshes: ProxyPagingCacheDataSource<Car>.Refreshes = .allPages
      return [
        evocation.pagingCache(
          for: Car.self, pageSize: 5, maxAge: .seconds(1), prefetchDistance: 2,
          refreshEvery: .seconds(2), paging: .link, refreshes: refreshes, keptPages: 3,
          keepsPages: false, maxUsableAge: .seconds(3), limits: .init(count: 4), saving: .upsert,
          automaticallyRefresh: false),
        Evocation.pagingCache(for: Car.self, pageSize: 5),
      ]
    }

    @available(*, deprecated)
    @MainActor func models(_ evocation: Evocation) -> ObservedModels<Car> {
      ObservedModels(evocation, of: Car.self, criteria: ["id": 1])
    }

    @available(*, deprecated)
    var freshness: [Freshness] { [.usable, .unusable] }

    @available(*, deprecated)
    var failedList: CacheError { .pageOfFailedList }

    @available(*, deprecated)
    func signOut(_ outbox: Outbox) async throws { try await outbox.signOut(.block) }
  }

  private let evocation = Evocation()
  private let before: any Written = Before()

  @Test func `a cache with its options one by one`() {
    let caches = before.caches(evocation)
    let options = CacheOptions(
      refreshEvery: .seconds(2), maxUsableAge: .seconds(3), limits: .init(count: 4),
      removesMissing: false, automaticallyRefresh: false)
    #expect(caches[0].source.maxAge == .seconds(1))
    #expect(caches[0].source.options == options)
    #expect(caches[0].requirements == nil)
    #expect(caches[1].source.options == CacheOptions())
  }

  @Test func `a list with its options one by one`() {
    let lists = before.lists(evocation)
    let options = lists[0].source.options
    #expect(lists[0].source.maxAge == .seconds(1))
    #expect(lists[0].source.pageSize == 5)
    #expect(lists[0].prefetchDistance == 2)
    #expect(options.refreshes == .allPages)
    #expect(options.maxPages == 3)
    #expect(!options.persistsPages)
    #expect(lists[0].source.refreshEvery == .seconds(2))
    #expect(lists[0].source.maxUsableAge == .seconds(3))
    #expect(lists[0].source.limits == .init(count: 4))
    #expect(!lists[0].source.automaticallyRefresh)
    #expect(lists[0].requirements == nil)
    #expect(lists[1].prefetchDistance == 2)
  }

  @Test @MainActor func `models of a view that only looks`() async throws {
    let remote = RepositoryMock<Car> { _ in [] }
    try evocation.register(
      Car.self, remote: remote, local: InMemoryRepository([Car(id: 1), Car(id: 2)]),
      strategy: .remoteFirst)
    let models = before.models(evocation)
    try await eventually("local's") { models.models.map(\.id) == [1] }
    #expect(remote.calls.isEmpty)
  }

  @Test func `names of freshness, and of an outbox's part in signing out`() async throws {
    #expect(before.freshness == [.stale, .expired])
    #expect(before.failedList == .pageWithoutCache)
    try await before.signOut(evocation.outbox)
  }
}
