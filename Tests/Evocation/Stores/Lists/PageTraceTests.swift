import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// What a page's result says of its fetch.
@Suite(.patient) struct PageTraceTests {
  @Test func `A page has a trace of its own`() async throws {
    let source = FakePagedSource(first: PageNumber(1)) { page, _ in
      FetchedPage([page.number], next: page.number < 3 ? page.next : nil)
    }
    let list = PagingCacheRepository(source, ledger: InMemoryFetchLedger())
    list.requirements = "numbers"
    try await list.refresh()
    let page = await list.goToNextPage()
    #expect(page == .successful)
    #expect(page.trace?.call == "nextPage")
    #expect(page.trace?.steps.map(\.outcome) == [.answered(count: 1)])
    #expect(list.state?.trace == page.trace)
  }
}
