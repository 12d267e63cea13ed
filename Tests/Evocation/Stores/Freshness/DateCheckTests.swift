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
}
