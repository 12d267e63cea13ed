import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import EvocationCaching
@testable import SQLiteSupport

/// Caches on a file that another database object changes.
@Suite(.patient) struct OthersTests {
  private let bed: ChangesBed

  init() throws { bed = try ChangesBed() }

  /// Two apps on one file, with the cache of the first one, which was fetched.
  private func apps() async throws -> (ChangesBed.App, other: ChangesBed.App, ChangesBed.Cache) {
    let (app, other) = (try bed.app(.file), try bed.app(.file))
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    return (app, other, cache)
  }

  @Test func `a cache that another has cleared is missing, and is fetched again`() async throws {
    let (app, other, cache) = try await apps()
    try await other.cache().clear()
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
    #expect(try await cache.refresh() == .successful)
    #expect(try await app.parts() == bed.service.parts)
    await other.database?.close()
  }

  @Test func `a cache that another has declared stale is fetched again`() async throws {
    let (_, other, cache) = try await apps()
    bed.service.put([LoggedPart(id: 7)])
    try await other.cache().invalidate()
    #expect(try await cache.value() == bed.service.parts)
    try await other.cache().invalidate()
    #expect(try await cache.refresh() == .successful)
    await other.database?.close()
  }

  @Test func `a cache that another has fetched is there, and is not fetched again`() async throws {
    let (app, other) = (try bed.app(.file), try bed.app(.file))
    let cache = app.cache()
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
    #expect(try await other.cache().refresh() == .successful)
    let asked = bed.service.asked.count
    #expect(try await cache.value() == bed.service.parts)
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(bed.service.asked.count == asked)
    await other.database?.close()
  }

  @Test func `a list that another has declared stale is fetched again`() async throws {
    let (app, other) = (try bed.app(.file), try bed.app(.file))
    let lists = [app, other].map { app in
      let list = app.evocation.pagingCache(
        LoggedPart.self, pageSize: 10, options: .init(automaticallyRefresh: false))
      list.requirements = Criteria()
      return list
    }
    #expect(try await lists[0].refresh() == .successful)
    bed.service.put([LoggedPart(id: 7)])
    try await lists[1].invalidate()
    #expect(try await lists[0].refresh() == .successful)
    #expect(try await lists[0].value() == bed.service.parts)
    await other.database?.close()
  }
}
