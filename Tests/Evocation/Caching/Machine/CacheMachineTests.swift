import Evocation
import EvocationTesting
import TestSupport
import Testing

@testable import EvocationCaching

/// The machine as a table: each event in each situation.
@Suite struct CachingMachineTests {
  private typealias Event = CacheMachineDriver.Event

  private let policies = [
    CachePolicy(), CachePolicy(maxAge: .seconds(60)), CachePolicy(maxAge: .zero),
    CachePolicy(maxAge: .seconds(-1), maxUsableAge: .zero), CachePolicy(isAutomatic: false),
    CachePolicy(maxAge: .seconds(60), maxUsableAge: .seconds(90), isAutomatic: false),
    CachePolicy(canFetch: false), CachePolicy(refreshEvery: .seconds(30)),
    CachePolicy(maxAge: .zero, isAutomatic: false, refreshEvery: .milliseconds(1)),
  ]

  /// What has happened before, for each situation that a cache can be in.
  private let situations: [[Event]] = [
    [], [.observe], [.loadNothing], [.loadRecord], [.loadStale], [.loadFailed],
    [.loadRecord, .observe], [.loadRecord, .observe, .read], [.loadStale, .observe, .readEmpty],
    [.loadRecord, .observe, .second], [.loadRecord, .observe, .readingFailed],
    [.loadRecord, .observe, .readingFailed, .second], [.loadRecord, .observe, .readingEnded],
    [.loadNothing, .askAlways], [.loadRecord, .askAlways], [.loadNothing, .observe],
    [.loadRecord, .observe, .read, .askAlways, .askAlways],
    [.loadRecord, .observe, .read, .force],
    [.loadNothing, .askAlways, .beginSaving], [.loadNothing, .observe, .force, .beginSaving],
    [.loadRecord, .observe, .read, .askAlways, .beginSaving],
    [.loadRecord, .observe, .read, .askAlways, .beginSaving, .saved],
    [.loadNothing, .observe, .askAlways, .beginSaving, .saved],
    [.loadNothing, .observe, .askAlways, .beginSaving, .saved, .second],
    [.loadNothing, .observe, .askAlways, .fetchFailed],
    [.loadRecord, .observe, .observeAnother, .read, .askAlways, .askWhenInvalid],
    [.loadRecord, .observe, .read, .askAlways, .invalidate],
    [.loadRecord, .observe, .read, .update], [.loadRecord, .observe, .read, .clear],
    [.loadRecord, .observe, .readVersion, .askAlways, .beginSaving, .savedAsVersion],
    [.loadRecord, .observe, .askAlways, .beginSaving, .savedAsVersion],
  ]

  @Test func `Any two events in any situation lose no caller, and everything ends`() {
    var faults: Set<String> = []
    for policy in policies {
      for situation in situations {
        var start = CacheMachineDriver(policy)
        for before in situation { start.apply(before) }
        for event in Event.allCases {
          var middle = start
          middle.apply(event)
          for next in Event.allCases {
            var driver = middle
            driver.apply(next)
            driver.finish()
            for fault in driver.faults {
              faults.insert("\(situation.map(\.rawValue)) \(event) \(next): \(fault)")
            }
          }
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.count) faults, such as \(faults.sorted().prefix(3))")
  }

  @Test func `Any long sequence of events loses no caller, and everything ends`() {
    var generator = Trials.random("events of a cache")
    for _ in 0..<2_000 {
      let policy = generator.pick(policies)
      var driver = CacheMachineDriver(policy)
      var events: [Event] = []
      for _ in 0..<generator.count(1...40) {
        let event = generator.pick(Event.allCases)
        events.append(event)
        driver.apply(event)
      }
      driver.finish()
      #expect(driver.faults == [], "seed \(generator.seed), \(policy), \(events.map(\.rawValue))")
    }
  }
}
