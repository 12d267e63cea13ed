import Evocation
import EvocationSQLite

/// Loads one page after the other of an endless list, and says how long it is after each.
struct Paging {
  /// A service of numbers without end, or none.
  private struct Numbers: Repository {
    struct Offline: Error {}

    let isOffline: Bool

    func find(_ criteria: Criteria) async throws -> Response<[Note]> {
      if isOffline { throw Offline() }
      let end = criteria.offset + (criteria.limit ?? 0)
      return Response((criteria.offset..<end).map { Note(id: $0, text: "\($0)") })
    }

    func store(_ models: [Note]) async throws -> Response<[Note]> { throw Offline() }
    func update(_ models: [Note]) async throws -> Response<[Note]> { throw Offline() }
    func storeOrUpdate(_ models: [Note]) async throws -> Response<[Note]> { throw Offline() }
    func remove(_ models: [Note]) async throws -> Response<[Note]> { throw Offline() }
  }

  let path: String
  func goOn() async throws {
    let list = try list(isOffline: false)
    try await list.refreshIfNoCache()
    var count = try await list.value(from: .cache).count
    while await list.goToNextPage() == .successful {
      count += 7
      SQLiteChild.say("\(count)")
    }
  }

  /// Says what the list has without the service, and whether it goes on.
  func stand() async throws {
    let list = try list(isOffline: true)
    let state = await first(list)
    let ids = state?.cache?.cache.map(\.id) ?? []
    let isWhole = ids == Array(0..<ids.count)
    SQLiteChild.say("\(ids.count) \(isWhole) \(state?.areMorePages ?? false)")
  }

  private func first(
    _ list: PagingCacheRepository<ProxyPagingCacheDataSource<Note>>
  ) async -> CacheState<PagedCache<[Note]>>? {
    for await state in list.observe() { return state }
    return nil
  }

  private func list(
    isOffline: Bool
  ) throws -> PagingCacheRepository<ProxyPagingCacheDataSource<Note>> {
    let evocation = Evocation()
    evocation.register(for: Note.self)
      .repository(remote: Numbers(isOffline: isOffline))
      .repository(
        local: try SQLiteRepository<Note>(SQLiteDatabase(path: path)))
    let list = evocation.pagingCache(Note.self, pageSize: 7)
    list.requirements = Criteria()
    return list
  }
}
