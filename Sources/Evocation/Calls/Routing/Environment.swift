package import Dispatch
package import Foundation

/// Everything that the calls of one `Evocation` share.
package final class Environment: Sendable {
  package let clocks: CacheTime
  package let time: TimeSource
  package let date: @Sendable () -> Date
  package let ledger: any FetchLedger
  package let chance: @Sendable () -> Double
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  /// The log of calls; nil if calls are not logged.
  let log: Evocation.Log?
  /// The calls that ended last, for inspections.
  package let recent = RecentCalls()
  package let callbackQueue: DispatchQueue?
  /// Returns a key that equal reads must share, besides model, criteria and rule; nil for no key.
  let joinKey: (@Sendable () -> String?)?
  package let sessions = Sessions()
  let signOutRecovery = SignOutRecovery()
  /// The line in which sign-outs wait for each other.
  package let signOutLine = WriteSerializer("signing out")
  /// The sender of queued writes; weak, because it retains its environment.
  package var outbox: (any OutboxSender)? { sender.withLock { $0.sender } }
  private let sender = Lock(WeakSender())
  /// What is observed, and what follows the services of that.
  package let demand = LiveDemand()
  /// Tells for which model type another registration is the present one, or none.
  package let registrations = Broadcast<ObjectIdentifier>()
  /// Tells that the app may have become active or inactive, or the connection may have changed.
  package let presenceChanges = Broadcast<Void>()
  private let connectivity: (any Connectivity)?
  private let lane = CallLane()

  package init(_ configuration: Evocation.Configuration) {
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

  /// Whether anything receives the ends of calls.
  var hasReceivers: Bool { onTrace != nil || log != nil || recent.isOn }

  /// Receives traces that belong to no call of the app; nil if nothing does.
  ///
  /// `session` is that in which the work began, if that was earlier.
  package func onEvent(in session: Session? = nil) -> (@Sendable (Evocation.Trace) -> Void)? {
    hasReceivers ? events(in: session) : nil
  }

  /// Receives the same for objects that live longer than the decision who receives them.
  package var onAnyEvent: @Sendable (Evocation.Trace) -> Void { events(in: nil) }

  private func events(in session: Session?) -> @Sendable (Evocation.Trace) -> Void {
    { [onTrace, log, recent, date, sessions] trace in
      if recent.isOn {
        recent.add(
          .init(endedAt: date(), criteria: nil) { .init(trace, showsValues: $0) },
          of: trace.model, in: session ?? sessions.current)
      }
      onTrace?(trace)
      log?.add { .call(.init(trace, showsValues: $0)) }
    }
  }

  /// Sets the sender of queued writes.
  package func setOutbox(_ outbox: any OutboxSender) {
    sender.withLock { $0.sender = outbox }
  }

  /// Whether it is known that there is no connection.
  var isOffline: Bool { connectivity?.isOnline == false }

  /// The present time by both clocks.
  var now: CacheMoment { clocks.now }

  /// Returns the result of the body, which reads a model.
  ///
  /// - Throws: ``EvocationError/signedOut(model:)`` if a sign-out came in the meantime, and errors
  ///   of the body.
  package func unlessSignedOut<Value>(
    _ model: String, _ body: () async throws -> Value
  ) async throws -> Value {
    let session = sessions.current
    let value = try await body()
    if session.isOver { throw EvocationError.signedOut(model: model) }
    return value
  }

  /// Returns the executor of a callback call's task, which starts when it is its turn.
  func start(_ owner: ObjectIdentifier) -> CallStart {
    CallStart(lane, owner: owner)
  }
}

extension Environment {
  /// Tells what depends on the registration of a model type that it is another one, or none.
  func announce(_ model: Any.Type, tagPrefix: String) {
    demand.follower?.update(model)
    CacheRegistry.sendToAll(.registered, prefix: tagPrefix)
    registrations.tell(ObjectIdentifier(model))
  }

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
  /// Returns the time since then; zero if there is no start.
  func duration(since start: Duration?) -> Duration {
    start.map { time.now().subtracting($0) } ?? .zero
  }

  /// Passes the end of a call to inspections, to the app's closure and to the log.
  ///
  /// `session` is that in which the call was made.
  @inline(never)
  func tell(_ end: CallEnd, in session: Session) {
    // The log may wait, and must not keep the records of fetches in memory for so long.
    let end = end.settled
    if recent.isOn {
      recent.add(
        .init(endedAt: date(), criteria: end.criteria) { .init(end, showsValues: $0) },
        of: end.record.model, in: session)
    }
    onTrace?(end.record.trace)
    log?.add { .call(.init(end, showsValues: $0)) }
  }
}
