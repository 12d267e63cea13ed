import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import Evocation

/// What a date that comes after others says of the time that has passed.
@Suite(.patient) struct SeenDatesTests {
  private let date = Date(timeIntervalSinceReferenceDate: 1_000_000)

  /// The date was seen after the first boot, an hour after its start.
  private var seen: SeenDates {
    SeenDates(latest: date, start: .init(boot: 2, date: date - 3600))
  }

  private func isSetBack(_ seconds: Double, _ boot: Int64?, _ uptime: Int64 = 0) -> Bool {
    seen.isSetBack(date + seconds, boot.map { Uptime(boot: $0, time: .seconds(uptime)) })
  }

  @Test func `In one boot the date goes on as the uptime does`() {
    #expect(!isSetBack(600, 2, 4200))
    #expect(isSetBack(500, 2, 4200))
    #expect(!isSetBack(5000, 2, 4200))
    #expect(isSetBack(-10, 2, 3600))
  }

  @Test func `In a later boot the date goes on by the uptime at least`() {
    #expect(!isSetBack(90_000, 3, 600))
    #expect(!isSetBack(600, 3, 600))
    #expect(isSetBack(500, 3, 600))
  }

  @Test func `A clock that is corrected is not set back`() {
    #expect(!isSetBack(590, 2, 4200))
    #expect(!isSetBack(-1, 2, 3600))
    #expect(isSetBack(-2, 2, 3600))
    #expect(!isSetBack(1_000_000 - 90, 2, 1_003_600))
    #expect(isSetBack(1_000_000 - 120, 2, 1_003_600))
  }

  @Test func `Without an uptime, then or now, the dates alone count`() {
    #expect(!isSetBack(1, nil))
    #expect(isSetBack(-2, nil))
    let former = SeenDates(latest: date)
    #expect(!former.isSetBack(date + 1, Uptime(boot: 2, time: .seconds(90_000))))
    #expect(former.isSetBack(date - 2, Uptime(boot: 2, time: .seconds(90_000))))
    #expect(!SeenDates().isSetBack(date, Uptime(boot: 2, time: .seconds(90_000))))
  }

  @Test func `After a date was set back, time counts from it`() {
    var after = SeenDates()
    let steps: [(Double, Uptime?)] = [
      (0, Uptime(boot: 2, time: .seconds(3600))), (-1000, Uptime(boot: 2, time: .seconds(3600))),
      (-400, Uptime(boot: 2, time: .seconds(4200))), (-2000, nil),
    ]
    let wasSetBack = steps.map { after.note(date + $0, $1) }
    #expect(wasSetBack == [false, true, false, true])
    #expect(after == SeenDates(latest: date - 2000))
  }

  @Test func `A start is news, and a date a minute later`() {
    #expect(!seen.isNews(date + 60, Uptime(boot: 2, time: .seconds(3660))))
    #expect(seen.isNews(date + 61, Uptime(boot: 2, time: .seconds(3661))))
    #expect(seen.isNews(date, Uptime(boot: 3, time: .zero)))
    #expect(!seen.isNews(.distantFuture, Uptime(boot: 3, time: .zero)))
  }

  @Test func `The system has an uptime that goes on`() throws {
    let first = try #require(Uptime.present)
    let second = try #require(Uptime.present)
    #expect(first.boot == second.boot && first.boot > 1)
    #expect(first.time > .zero && first.time <= second.time)
  }
}
