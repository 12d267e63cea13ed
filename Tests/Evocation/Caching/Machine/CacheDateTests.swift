import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What a date that is set back does to the age of caches, in this run and in later ones.
@Suite(.patient) struct CachingDateTests {
  private let bench = CacheBench()

  @Test func `After the date was set back nothing from before is fresh, in any later run`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(7200), automaticallyRefresh: false)
    func isFresh(_ tag: String) async throws -> Bool {
      let repository = bench.repository(source, .init(tag: tag))
      return try await repository.refresh() == .skipped(.cacheNotTooOld)
    }
    try await bench.remember(.seconds(3600), tag: "old")
    try await bench.remember(.zero, tag: "new")
    let date = bench.clock.date
    // While the app does not run: the old one is from before the present date too.
    bench.clock.setDate(date - 1800)
    for tag in ["old", "new"] {
      let repository = bench.repository(source, .init(tag: tag))
      await #expect(throws: CacheError.cacheTooOld(tag: tag, age: nil)) {
        try await repository.value(from: .cache)
      }
    }
    #expect(try await !isFresh("new"))
    // By now the date is where it was, and so is that of the record.
    bench.clock.advance(by: .seconds(1900))
    #expect(try await isFresh("new"))
    #expect(try await !isFresh("old"))
    #expect(try await isFresh("old"))
  }

  @Test func `A date that was seen and set back is known, where nothing was fetched at it`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(7200), automaticallyRefresh: false)
    try await bench.remember(.zero)
    bench.clock.advance(by: .seconds(3600))
    let seen = bench.clock.date
    #expect(try await bench.repository(source).refresh() == .skipped(.cacheNotTooOld))
    // The ledger is told behind the answer.
    try await eventually("the date in the ledger") {
      try await bench.ledger.greatestDate() == seen
    }
    bench.clock.setDate(seen - 1800)
    #expect(try await bench.repository(source).refresh() == .successful)
  }

  @Test func `A date that is set back while the app runs is remembered after it`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(7200), automaticallyRefresh: false)
    do {
      let repository = try await bench.fetched(source)
      bench.clock.setDate(bench.clock.date - 3600)
      // It knows better how old it is, by the clock that only goes on.
      #expect(try await repository.value(from: .cache) == ["v1"])
      try await eventually("an undated record") {
        try await bench.ledger.record(for: "words")?.isUndated == true
      }
      #expect(try await repository.refresh() == .skipped(.cacheNotTooOld))
    }
    bench.clock.advance(by: .seconds(5400))
    #expect(try await bench.repository(source).refresh() == .successful)
    #expect(try await bench.ledger.record(for: "words")?.isUndated == false)
  }

  @Test func `A clock that is put right by a second changes nothing`() async throws {
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false)
    try await bench.remember(.seconds(10))
    bench.clock.setDate(bench.clock.date - 1)
    #expect(try await bench.repository(source).refresh() == .skipped(.cacheNotTooOld))
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 6.3e10, -6.3e10])
  func `A date that no clock shows is no date to count from`(seconds: Double) async throws {
    let source = FakeSource(maxAge: .seconds(60), words: ["old"])
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    try await bench.ledger.write(FetchRecord(fetchedAt: date), for: "words")
    #expect(try await bench.repository(source).value() == ["v1"])
    #expect(try await bench.repository(source).refresh() == .skipped(.cacheNotTooOld))
  }
}
