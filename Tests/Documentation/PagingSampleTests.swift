import Evocation
import EvocationTesting
import TestTraits
import Testing

/// The sample of a source of pages, as it stands in its documentation.
@Suite(.patient) struct PagingSampleTests {
  struct Repo: Sendable, Equatable {
    var id: Int
  }

  struct ReposOfUser: CacheRequirements {
    let name: String
    var tag: String { "repos of \(name)" }
  }

  struct RepoService: Sendable {
    func repos(of name: String, page: Int) async throws -> (repos: [Repo], areMorePages: Bool) {
      ([Repo(id: 2 * page - 1), Repo(id: 2 * page)], page < 3)
    }
  }

  final class RepoStore: Sendable {
    private let repos = Lock<[Repo]>([])

    func save(_ new: [Repo], of name: String, _ place: PagePosition) async throws {
      repos.withLock { repos in
        switch place {
        case .replacing: repos = new
        case .after: repos += new
        case .before: repos = new + repos
        }
      }
    }

    func repos(of name: String) -> AsyncThrowingStream<[Repo], any Error> {
      let repos = repos.withLock { $0 }
      return AsyncThrowingStream { continuation in
        continuation.yield(repos)
        continuation.finish()
      }
    }
  }

  struct ReposSource: PagingCacheDataSource {
    let service: RepoService
    let store: RepoStore
    let maxAge: Duration? = .seconds(5 * 3600)

    func firstPage(_ requirements: ReposOfUser) -> PageNumber { 1 }

    func fetchFreshCache(
      _ requirements: ReposOfUser, pagingRequirements page: PageNumber
    ) async throws -> FetchedPage<[Repo], PageNumber> {
      let answer = try await service.repos(of: requirements.name, page: page.number)
      return FetchedPage(answer.repos, next: answer.areMorePages ? page.next : nil)
    }

    func saveCache(
      _ repos: [Repo], requirements: ReposOfUser, pagingRequirements: PageNumber,
      place: PagePosition
    ) async throws {
      try await store.save(repos, of: requirements.name, place)
    }

    func observeCache(_ requirements: ReposOfUser) -> AsyncThrowingStream<[Repo], any Error> {
      store.repos(of: requirements.name)
    }
  }

  @Test func `a source of pages is three functions and an observation`() async throws {
    let repos = PagingCacheRepository(
      ReposSource(service: RepoService(), store: RepoStore()), ledger: InMemoryFetchLedger())
    repos.requirements = ReposOfUser(name: "ada")
    #expect(try await repos.value().map(\.id) == [1, 2])
    #expect(await repos.goToNextPage() == .successful)
    #expect(await repos.goToNextPage() == .successful)
    #expect(await repos.goToNextPage() == .skipped(.noMorePages))
    #expect(try await repos.value().map(\.id) == [1, 2, 3, 4, 5, 6])
  }
}
