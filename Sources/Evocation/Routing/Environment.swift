import Dispatch

/// What the calls of one `Evocation` share.
struct Environment: Sendable {
  let time: TimeSource
  let chance: @Sendable () -> Double
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  let callbackQueue: DispatchQueue?
  let starter = CallStarter()

  init(_ configuration: Evocation.Configuration) {
    time = TimeSource(configuration.clock)
    chance = configuration.chance
    onTrace = configuration.onTrace
    callbackQueue = configuration.callbackQueue
  }
}
