import Dispatch
import Foundation

/// What the calls of one `Evocation` share.
final class Environment: Sendable {
  let time: TimeSource
  let date: @Sendable () -> Date
  let ledger: any FetchLedger
  let chance: @Sendable () -> Double
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  let callbackQueue: DispatchQueue?
  let starter = CallStarter()

  init(_ configuration: Evocation.Configuration) {
    let times = CacheTime(configuration.clock)
    time = times.source
    date = times.date
    ledger = configuration.ledger
    chance = configuration.chance
    onTrace = configuration.onTrace
    callbackQueue = configuration.callbackQueue
  }
}
