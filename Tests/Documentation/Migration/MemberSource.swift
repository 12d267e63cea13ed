import Evocation

struct MemberSource: CacheDataSource {
  struct Requirements: CacheRequirements {
    let user: Int
    var tag: String { "member \(user)" }
  }

  let service: MemberService
  let store: MemberStore
  let maxAge: Duration? = .seconds(30 * 60)

  func fetchFreshCache(_ requirements: Requirements) async throws -> Member {
    try await service.member(of: requirements.user)
  }

  func saveCache(_ member: Member, requirements: Requirements) async throws {
    store.save(member, as: requirements.tag)
  }

  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Member, any Error> {
    store.values(of: requirements.tag)
  }
}
