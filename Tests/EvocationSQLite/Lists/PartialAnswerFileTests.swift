import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import SQLiteSupport

/// What a file keeps and shows of answers with some of the models that match.
@Suite(.patient) struct PartialAnswerFileTests {
  /// A model whose ids are numbers in text, as JSON:API has them.
  private struct Resource: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var name: String
    var rank: Int?
  }

  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let given = Lock<[String]>([])
  private let all = (1...20).map { number in
    Resource(
      id: "\(number)", name: number.isMultiple(of: 2) ? "a\(number)" : "A\(number)",
      rank: number > 15 ? nil : number)
  }

  init() throws { folder = try TemporaryFolder() }

  private func app(
    _ strategy: Strategy = .remoteFirst, seeded: Bool = true
  ) async throws -> (Evocation, SQLiteRepository<Resource>) {
    let local = try SQLiteRepository<Resource>(SQLiteDatabase(path: folder.path()))
    if seeded { try await local.store(all) }
    let evocation = Evocation(configuration: .init(clock: clock))
    let remote = RepositoryMock<Resource> { [given, all] _ in
      given.withLock { $0 }.compactMap { id in all.first { $0.id == id } }
    }
    evocation.register(for: Resource.self).repository(remote: remote).repository(local: local)
      .strategy(strategy)
    return (evocation, local)
  }

  @Test(arguments: [
    (Criteria().limit(3), ["1", "2", "3"]), (Criteria().limit(3), ["20", "19", "18"]),
    (Criteria().sorted(by: "name").limit(3), ["1", "2", "3"]),
    (Criteria().sorted(by: "rank").limit(3), ["1", "2", "3"]),
    (Criteria().limit(2).offset(2), ["3", "4"]),
  ])
  func `an answer in the service's order removes no row that the file sorts before it`(
    criteria: Criteria, ids: [String]
  ) async throws {
    let (evocation, local) = try await app()
    given.withLock { $0 = ids }
    let found = await evocation.find(model: Resource.self, criteria: criteria)
    #expect(found.data?.map(\.id) == ids && found.synchronizationError == nil)
    #expect(try await local.count(Criteria()) == 20)
  }

  @Test func `unsent changes stay over a part, and nothing goes for it`() async throws {
    let (evocation, local) = try await app(.offlineFirst)
    evocation.outbox.pause()
    #expect(await evocation.updateOne(Resource(id: "20", name: "mine")).error == nil)
    #expect(await evocation.storeOne(Resource(id: "21", name: "new")).error == nil)
    given.withLock { $0 = ["20", "19", "18"] }
    let found = await evocation.find(model: Resource.self, criteria: Criteria().limit(3))
    #expect(found.data?.first { $0.id == "20" }?.name == "mine")
    #expect(try await local.count(Criteria()) == 21)
  }

  @Test func `a cache of some models shows them in the service's order, after a restart too`()
    async throws
  {
    let some = Criteria().limit(3)
    given.withLock { $0 = ["20", "2", "10"] }
    do {
      let (evocation, local) = try await app()
      let cache = evocation.cache(Resource.self, where: some, maxAge: .seconds(60))
      #expect(try await cache.refresh() == .successful)
      #expect(try await cache.value(from: .cache).map(\.id) == ["20", "2", "10"])
      given.withLock { $0 = ["2", "10", "20"] }
      var states = cache.observe().makeAsyncIterator()
      var shown = try #require(await states.next()).cache?.map(\.id)
      #expect(shown == ["20", "2", "10"])
      #expect(try await cache.refresh(force: true) == .successful)
      while shown != ["2", "10", "20"] {
        shown = try #require(await states.next()).cache?.map(\.id)
      }
      #expect(try await local.count(Criteria()) == 20)
    }
    let (evocation, local) = try await app(seeded: false)
    let cache = evocation.cache(Resource.self, where: some, maxAge: .seconds(60))
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(try await cache.value(from: .cache).map(\.id) == ["2", "10", "20"])
    try await cache.clear()
    #expect(try await local.count(Criteria()) == 17)
  }
}
