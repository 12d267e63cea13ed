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
  /// Where each call is logged as it ends; nil where none is.
  let log: Evocation.Log?
  let callbackQueue: DispatchQueue?
  /// What equal reads have to have in common beside model, criteria and rule; nil for nothing.
  let joinKey: (@Sendable () -> String?)?
  let signOuts = SignOutCount()
  /// The line in which sign-outs wait for each other.
  let signOutLine = WriteSerializer("signing out")
  /// Who sends what local repositories have queued; weak, because it knows its environment.
  var outbox: (any OutboxSender)? { sender.withLock { $0.sender } }
  private let sender = Lock(WeakSender())
  private let connectivity: (any Connectivity)?
  // Short work on the way of what somebody waits for.
  private let starts = CallLane(.userInitiated)

  init(_ configuration: Evocation.Configuration) {
    clocks = CacheTime(configuration.clock)
    time = clocks.source
    date = clocks.date
    ledger = configuration.ledger
    chance = configuration.chance
    onTrace = configuration.onTrace
    log = configuration.log.taking(.calls)
    callbackQueue = configuration.callbackQueue
    joinKey = configuration.joinKey
    connectivity = configuration.outbox.connectivity
  }

  /// Receives the traces of what is no call of the app, for the app's closure and the log.
  var onEvent: (@Sendable (Evocation.Trace) -> Void)? {
    guard let log else { return onTrace }
    return { [onTrace] trace in
      onTrace?(trace)
      log.add { .call(.init(trace, showsValues: $0)) }
    }
  }

  /// Sets who sends what local repositories have queued.
  func setOutbox(_ outbox: any OutboxSender) {
    sender.withLock { $0.sender = outbox }
  }

  /// Whether it is known that no service can be reached.
  var isOffline: Bool { connectivity?.isOnline == false }

  /// The present moment by both clocks.
  var now: CacheMoment { clocks.now }

  /// Gives what the body reads of a model, unless somebody signs out meanwhile.
  func unlessSignedOut<Value>(
    _ model: String, _ body: () async throws -> Value
  ) async throws -> Value {
    let number = signOuts.number
    let value = try await body()
    if signOuts.number != number { throw EvocationError.signedOut(model: model) }
    return value
  }

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

extension Environment {
  /// How long ago that was; zero where it was not noted.
  func duration(since start: Duration?) -> Duration {
    start.map { time.now().subtracting($0) } ?? .zero
  }

  /// Tells the app's closure, and the log, how a call has ended.
  @inline(never)
  func tell(_ end: CallEnd) {
    // The log may wait, and must not keep what was known of fetches meanwhile.
    let end = end.settled
    onTrace?(end.record.trace)
    log?.add { .call(.init(end, showsValues: $0)) }
  }
}
