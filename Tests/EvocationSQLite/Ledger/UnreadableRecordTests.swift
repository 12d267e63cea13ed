import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct UnreadableRecordTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A cache with a row that cannot be read is not empty, and shows the next commit`()
    async throws
  {
    let store = try CacheStore(.file, folder.path(), remote: [Car(id: 1, name: "a", year: 1)])
    let database = try #require(store.database)
    let cache = store.cache([:])
    #expect(try await cache.refresh() == .successful)
    try await database.write { _ = try $0.execute("UPDATE car SET tags = 'broken'") }
    var states = cache.observe().makeAsyncIterator()
    var state = await states.next()
    while state?.refreshError == nil { state = await states.next() }
    #expect(state?.phase == .never && state?.isReading == true)
    // The clock stands still, so that no pause can end.
    try await database.write { _ = try $0.execute("UPDATE car SET tags = '[]'") }
    state = await states.next()
    #expect(state?.cache?.map(\.id) == [1] && state?.refreshError == nil)
  }

  @Test func `So is a list`() async throws {
    let store = try CacheStore(
      .file, folder.path(), remote: (1...3).map { Car(id: $0, name: "a", year: 1) })
    let database = try #require(store.database)
    let list = store.evocation.pagingCache(Car.self, pageSize: 5)
    #expect(try await list.refresh() == .successful)
    try await database.write { _ = try $0.execute("UPDATE car SET tags = 'broken' WHERE id = 2") }
    var states = list.observe().makeAsyncIterator()
    var state = await states.next()
    while state?.refreshError == nil { state = await states.next() }
    #expect(state?.phase == .never && state?.isReading == true)
    try await database.write { _ = try $0.execute("UPDATE car SET tags = '[]'") }
    state = await states.next()
    #expect(state?.cache?.cache.map(\.id) == [1, 2, 3] && state?.refreshError == nil)
  }
}
