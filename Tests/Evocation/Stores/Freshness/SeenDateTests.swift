import Evocation
import Foundation
import Testing

@testable import EvocationStores

/// What a date that comes after others says.
@Suite struct SeenDateTests {
  private let date = Date(timeIntervalSinceReferenceDate: 1_000_000)

  @Test func `A date before the greatest one was set back, and a corrected clock was not`() {
    let seen = SeenDate(date)
    #expect(!seen.isSetBack(date + 5000))
    #expect(!seen.isSetBack(date - 1))
    #expect(seen.isSetBack(date - 2))
    #expect(!SeenDate().isSetBack(date))
  }

  @Test func `After a date was set back, time counts from it`() {
    var seen = SeenDate()
    let wasSetBack = [0, 600, -1000, -400, -2000].map { seen.record(date + $0) }
    #expect(wasSetBack == [false, false, true, false, true])
    #expect(seen.greatest == date - 2000)
  }

  @Test func `A date a minute later is news, and one that cannot be is none`() {
    let seen = SeenDate(date)
    #expect(!seen.isNews(date + 60))
    #expect(seen.isNews(date + 61))
    #expect(SeenDate().isNews(date))
    #expect(!SeenDate().isNews(.distantFuture))
  }
}
