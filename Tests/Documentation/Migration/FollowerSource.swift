import Evocation

struct FollowerSource: PagingCacheDataSource {
  struct Requirements: CacheRequirements {
    let user: Int
    var tag: String { "followers of user \(user)" }
  }

  let service: MemberService
  let store: KeptValues<[Member]>

  func firstPage(_ requirements: Requirements) -> PageCursor { .start }

  func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements page: PageCursor
  ) async throws -> FetchedPage<[Member], PageCursor> {
    let answer = try await service.followers(of: requirements.user, from: page.cursor)
    return FetchedPage(answer.members, next: PageCursor(answer.token))
  }

  func saveCache(
    _ members: [Member], requirements: Requirements, pagingRequirements: PageCursor,
    place: PagePosition
  ) async throws {
    let ids = Set(members.map(\.id))
    let others = (store.value(of: requirements.tag) ?? []).filter { !ids.contains($0.id) }
    let list = place == .before ? members + others : others + members
    store.save(place == .replacing ? members : list, as: requirements.tag)
  }

  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<[Member], any Error> {
    store.values(of: requirements.tag)
  }
}
