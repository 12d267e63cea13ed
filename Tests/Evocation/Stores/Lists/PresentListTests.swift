import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct PresentListTests {
  @Test func `A list says its pages too`() async throws {
    let bench = PagingBench()
    let repository = bench.repository(FakePagedSource(automaticallyRefresh: false))
    let list: any PagingCacheProviding<FakePagedSource<PageCursor>> = repository
    var watch = Watch(repository.observe())
    #expect(await watch.state()?.cache == nil)
    #expect(try await list.refresh() == .successful)
    #expect(list.state?.cache == PagedCache([1, 2], areMorePages: true))
  }
}
