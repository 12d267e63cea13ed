import Testing

@testable import Evocation

/// When criteria were last fetched, for rules with a `maxAge`.
@Suite struct FetchLogTests {
  private func criteria(_ number: Int) -> Criteria { ["id": number] }

  private func known(_ log: FetchLog, _ numbers: Range<Int>) -> [Int] {
    numbers.filter { log.isFresh(criteria($0), maxAge: .seconds(1_000_000), now: .seconds(9_999)) }
  }

  @Test func `What was fetched is fresh up to its age, and not before it was fetched`() {
    var log = FetchLog()
    log.record(criteria(1), at: .seconds(10))
    let fresh = [9, 10, 15, 16].map {
      log.isFresh(criteria(1), maxAge: .seconds(5), now: .seconds($0))
    }
    #expect(fresh == [false, true, true, false])
    #expect(!log.isFresh(criteria(2), maxAge: .seconds(5), now: .seconds(10)))
  }

  @Test func `The newest thousand are remembered at most, and what was fetched again is new`() {
    var log = FetchLog()
    for number in 0..<1_000 { log.record(criteria(number), at: .seconds(number)) }
    #expect(known(log, 0..<1_000).count == 1_000)
    log.record(criteria(0), at: .seconds(1_000))
    log.record(criteria(1_000), at: .seconds(1_001))
    #expect(known(log, 0..<1_001) == [0] + Array(101...1_000))
    for number in 2_000..<5_000 { log.record(criteria(number), at: .seconds(number)) }
    #expect((900...1_000).contains(known(log, 0..<5_000).count))
  }

  @Test func `What is fetched behind an answer is fetched once at a time`() {
    var log = FetchLog()
    let begun = [1, 1, 2].map { log.beginRevalidating(criteria($0)) }
    #expect(begun == [true, false, true])
    log.endRevalidating(criteria(1))
    let begunAgain = [1, 2].map { log.beginRevalidating(criteria($0)) }
    #expect(begunAgain == [true, false])
  }
}
