import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// What a repository says of its present state.
@Suite(.patient) struct CachingPresentTests {
  private let bench = CacheBench()

  @Test func `Without requirements, and before it is known, there is no state`() async throws {
    let source = FakeSource(automaticallyRefresh: false)
    let repository = bench.repository(source, nil)
    #expect(repository.state == nil)
    repository.requirements = "words"
    #expect(repository.state == nil)
    await #expect(throws: CacheError.self) { try await repository.value(from: .cache) }
    #expect(repository.state?.words == "no")
  }

  @Test func `What nobody observes is known, but for its content`() async throws {
    let source = FakeSource(automaticallyRefresh: false) { count in
      guard count != 2 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    #expect(repository.state?.words == "yes/nil/reading")
    #expect(repository.state?.fetchedAt == bench.clock.date)
    #expect(try await repository.refresh(force: true) == .failed(Trouble.fetching))
    #expect(repository.state?.words == "yes/nil/reading, error fetching")
  }

  @Test func `What somebody observes is what was shown last, also while it is saved`()
    async throws
  {
    let (source, saving) = (FakeSource(automaticallyRefresh: false), Gate())
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    #expect(repository.state?.words == "no")
    #expect(try await repository.refresh() == .successful)
    #expect(repository.state?.words == "yes/v1")
    source.onSave { _ in try await saving.pass() }
    let refreshing = Task { try await repository.refresh(force: true) }
    await saving.arrivals(1)
    #expect(repository.state?.words == "yes/v1/refreshing")
    saving.open()
    #expect(try await refreshing.value == .successful)
    #expect(repository.state?.words == "yes/v2")
    repository.requirements = nil
    #expect(repository.state == nil)
  }
}
