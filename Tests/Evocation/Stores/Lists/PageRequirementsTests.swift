import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct PageRequirementsTests {
  /// The last number of the page before, as many services want it.
  private struct After: PageRequirements {
    var last: Int?
  }

  /// The first and the last number of what is there, one of which is asked for.
  private struct Around: PageRequirements {
    var before: Int?
    var after: Int?
  }

  private let bench = PagingBench()

  /// Lists the numbers up to six, by pages of two, and gives what each page was asked for with.
  private func walk<Page>(_ source: FakePagedSource<Page>) async throws -> [Page] {
    // A repository for each page, so that where the list goes on has to be read from the ledger.
    try await bench.repository(source).refresh()
    while await bench.repository(source).goToNextPage() == .successful {}
    while await bench.repository(source).goToPreviousPage() == .successful {}
    #expect(source.list == [1, 2, 3, 4, 5, 6])
    return source.fetched
  }

  @Test func `A list is paged by number`() async throws {
    let source = FakePagedSource(first: PageNumber(2)) { page, _ in
      let last = page.number * 2
      return FetchedPage(
        [last - 1, last], next: page.number < 3 ? page.next : nil,
        previous: page.number > 1 ? page.previous : nil)
    }
    #expect(try await walk(source) == [2, 3, 1])
  }

  @Test func `A list is paged by cursor`() async throws {
    let pages = try await walk(FakePagedSource())
    #expect(pages == [.start, PageCursor("b"), PageCursor("c")])
  }

  @Test func `A list is paged by the last id`() async throws {
    let source = FakePagedSource(first: After()) { page, _ in
      let numbers = Array((1...6).filter { $0 > page.last ?? 0 }.prefix(2))
      return FetchedPage(numbers, next: numbers.last == 6 ? nil : After(last: numbers.last))
    }
    #expect(try await walk(source).map(\.last) == [nil, 2, 4])
  }

  @Test func `A list is paged by the first and the last id`() async throws {
    let source = FakePagedSource(first: Around(after: 2)) { page, _ in
      let numbers =
        if let before = page.before {
          Array((1...6).filter { $0 < before }.suffix(2))
        } else {
          Array((1...6).filter { $0 > page.after ?? 0 }.prefix(2))
        }
      return FetchedPage(
        numbers, next: numbers.last == 6 ? nil : Around(after: numbers.last),
        previous: numbers.first == 1 ? nil : Around(before: numbers.first))
    }
    #expect(
      try await walk(source) == [Around(after: 2), Around(after: 4), Around(before: 3)])
  }
}
