import Dispatch
import Foundation

/// What the calls of one `Evocation` share.
final class Environment: Sendable {
  let clocks: CacheTime
  let time: TimeSource
  let date: @Sendable () -> Date
  let ledger: any FetchLedger
  let chance: @Sendable () -> Double
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  let callbackQueue: DispatchQueue?
  /// Who sends what local repositories have queued; weak, because it knows its environment.
  var outbox: (any OutboxSender)? { sender.withLock { $0.sender } }
  private let sender = Lock(WeakSender())
  private let starts = CallLane()

  init(_ configuration: Evocation.Configuration) {
    clocks = CacheTime(configuration.clock)
    time = clocks.source
    date = clocks.date
    ledger = configuration.ledger
    chance = configuration.chance
    onTrace = configuration.onTrace
    callbackQueue = configuration.callbackQueue
  }

  /// Sets who sends what local repositories have queued.
  func setOutbox(_ outbox: any OutboxSender) {
    sender.withLock { $0.sender = outbox }
  }

  /// The present moment by both clocks.
  var now: CacheMoment { clocks.now }

  /// The executor of a callback call's task, which starts when it is its turn.
  func start(_ owner: ObjectIdentifier) -> CallStart {
    CallStart(starts, owner: owner)
  }
}

extension Environment {
  /// Calls the callback on the configured queue, and waits until it has returned.
  @inline(__always)
  func deliver<Model: Sendable>(
    _ result: Evocation.Result<[Model]>,
    to callback: @escaping @Sendable (Evocation.Result<[Model]>) -> Void
  ) async {
    guard let callbackQueue else { return callback(result) }
    await deliver(result, to: callback, on: callbackQueue)
  }

  @inline(never)
  private func deliver<Model: Sendable>(
    _ result: Evocation.Result<[Model]>,
    to callback: @escaping @Sendable (Evocation.Result<[Model]>) -> Void,
    on callbackQueue: DispatchQueue
  ) async {
    await withCheckedContinuation { continuation in
      callbackQueue.async {
        callback(result)
        continuation.resume()
      }
    }
  }
}
