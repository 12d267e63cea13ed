package import Evocation
import EvocationTesting

extension Evocation {
  /// An app that sends when a test flushes, and whose time stands still.
  package static func flushedByHand(
    clock: any Clock<Duration> = ManualClock(), lease: Duration = .seconds(15),
    ledger: any FetchLedger = InMemoryFetchLedger()
  ) -> Evocation {
    Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, ledger: ledger,
        outbox: .init(sendsAutomatically: false, lease: lease)))
  }
}
