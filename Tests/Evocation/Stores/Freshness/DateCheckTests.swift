import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationStores

/// Finding out whether the date was set back.
@Suite(.patient) struct DateCheckTests {
  private final class SlowDateLedger: ForwardingLedger {
    let base = InMemoryFetchLedger()
    let gate = Gate()

    func greatestDate() async throws -> Date? {
      try await gate.pass()
      return try await base.greatestDate()
    }
  }

  @Test func `Nobody uses a record before it is known whether the date was set back`() async {
    let ledger = SlowDateLedger()
    let registry = CacheRegistry.of(ledger)
    let time = CacheTime(ManualClock())
    async let first = registry.check(time)
    await ledger.gate.arrivals(1)
    async let second = registry.check(time)
    await ledger.gate.arrivals(2)
    ledger.gate.open()
    _ = await (first, second)
  }

  /// A ledger that records a fetch, two minutes later, whenever it is asked for the greatest date.
  private final class BusyLedger: ForwardingLedger {
    let base = InMemoryFetchLedger()
    let clock = ManualClock()
    let isFirst: Bool
    let noted = Gate()

    init(isFirst: Bool) { self.isFirst = isFirst }

    func fetch() async throws {
      clock.advance(by: .seconds(120))
      try await base.write(FetchRecord(fetchedAt: clock.date), for: "\(clock.date)")
    }

    func greatestDate() async throws -> Date? {
      if isFirst {
        try await fetch()
        clock.advance(by: .seconds(120))
      }
      let date = try await base.greatestDate()
      if !isFirst { try await fetch() }
      return date
    }

    func note(_ date: Date) async throws {
      try await base.note(date)
      try await noted.pass()
    }
  }

  @Test(arguments: [false, true])
  func `A fetch that is recorded during the check sets no date back`(isFirst: Bool) async throws {
    let ledger = BusyLedger(isFirst: isFirst)
    ledger.noted.open()
    try await ledger.fetch()
    ledger.clock.advance(by: .seconds(120))
    await CacheRegistry.of(ledger).check(CacheTime(ledger.clock))
    await ledger.noted.arrivals(1)
    #expect(try await ledger.base.records(prefix: "").allSatisfy { !$0.record.isUndated })
  }
}
