import Dispatch
import Testing

@testable import EvocationSQLite

@Suite struct WatchPaceTests {
  /// How many looks it takes, each with the same result, until they are seldom; nil for more than 100.
  private func looks(_ look: WatchPace.Look, from pace: WatchPace) -> Int? {
    var pace = pace
    for count in 0...100 {
      if !pace.isOften { return count }
      pace.looked(look)
    }
    return nil
  }

  @Test func `It looks seldom until a report, often for twenty looks, and then seldom`() {
    var pace = WatchPace(hasReports: true)
    #expect(!pace.isOften)
    pace.wrote()
    #expect(pace.isOften)
    #expect(looks(.nothing, from: pace) == 20)
    for _ in 0..<19 { pace.looked(.nothing) }
    pace.wrote()
    #expect(looks(.nothing, from: pace) == 20)
    // A commit may follow another, and a busy writer could not be asked.
    #expect(looks(.found, from: pace) == nil)
    #expect(looks(.busy, from: pace) == nil)
  }

  @Test func `Where the system reports nothing, it looks often`() {
    #expect(looks(.nothing, from: WatchPace(hasReports: false)) == nil)
    var pace = WatchPace(hasReports: true)
    pace.looked(.busy)
    pace.looked(.nothing)
    #expect(!pace.isOften)
    // No report came before this commit.
    pace.looked(.found)
    #expect(looks(.nothing, from: pace) == nil)
  }

  @Test func `An idle watch wakes the process at most three times a second`() {
    #if os(Linux)
      #expect(WatchTimes.system.seldom == .seconds(1))
    #else
      #expect(WatchTimes.system.seldom == .milliseconds(50))
    #endif
  }
}
