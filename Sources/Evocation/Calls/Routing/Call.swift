import Foundation

/// One call with its model type's proxy, which runs the steps of a route.
package final class Call<Model: Sendable>: Sendable {
  let operation: Operation<Model>
  let proxy: Proxy<Model>
  package let wiring: Wiring<Model>
  /// How far a callback call has come; nil for an async call.
  let start: CallStart?
  /// The session in which the call was made.
  package let session: Session
  /// The operation without ids that the server does not have yet; nil if there are none.
  let asked: Operation<Model>?
  /// The key of the criteria that names only what the server does not have yet; nil if there is none.
  let unsent: Criteria.Key?
  /// When the call began, if it has waited for another read, from when on its rule's limits count;
  /// nil if they count from its own attempt on.
  let waitingSince: Duration?

  package init(_ operation: Operation<Model>, _ proxy: Proxy<Model>, start: CallStart? = nil) {
    self.proxy = proxy
    self.start = start
    (asked, unsent, waitingSince) = (nil, nil, nil)
    session = proxy.environment.sessions.current
    wiring = proxy.wiring
    let parameters = wiring.parameters
    self.operation = parameters.isEmpty ? operation : operation.declaring(parameters)
  }

  /// Creates the same call with other criteria.
  init(
    _ operation: Operation<Model>, _ call: Call, asking asked: Operation<Model>,
    unsent: Criteria.Key?
  ) {
    (proxy, start, session, wiring) = (call.proxy, call.start, call.session, call.wiring)
    (self.operation, self.asked, self.unsent) = (operation, asked, unsent)
    waitingSince = call.waitingSince
  }

  /// Creates the same call, which has waited since a time.
  init(_ call: Call, waitingSince: Duration) {
    (proxy, start, session, wiring) = (call.proxy, call.start, call.session, call.wiring)
    (operation, asked, unsent) = (call.operation, call.asked, call.unsent)
    self.waitingSince = waitingSince
  }

  /// When a call may run, which is decided when it is made.
  enum Admission: Sendable {
    /// A read, which runs immediately, side by side with all other calls.
    case atOnce
    /// A write, which waits for its turn.
    case inTurn(WriteSerializer.Ticket)
    /// A call whose rule does not fit it, or a write that would wait for itself.
    case refused(any Error)
  }

  /// Admits the call; the caller must ``run(_:_:isGiven:)`` it afterward.
  ///
  /// `isGiven` says that the rule belongs to this call, and not to the strategy.
  func admit(_ rule: Strategy.Rule, isGiven: Bool) -> Admission {
    if isGiven || wiring.misfit != nil {
      if let reason = rule.misfit(for: operation.action) {
        return .refused(StrategyError.invalidRule(operation.action, rule, reason: reason))
      }
      // From now on there may be unsent writes, which reads include and the outbox sends.
      if rule.synchronize == .outbox, !wiring.mayHaveUnsent { proxy.recordQueueingRule() }
    }
    if operation.isRead {
      guard wiring.openEnd != nil, operation.action == .find else { return .atOnce }
      do {
        try wiring.checkEnd(operation.criteria ?? Criteria(), rule, of: proxy.model)
        return .atOnce
      } catch {
        return .refused(error)
      }
    }
    guard !WriteScope.isInside(proxy.line) else {
      let lines = WriteSerializer.around
      let inside = lines.prefix(1 + (lines.firstIndex { $0 === proxy.line } ?? 0))
      return .refused(
        EvocationError.nestedWrite(model: proxy.model, circle: inside.reversed().map(\.name)))
    }
    proxy.joins.recordWrite()
    if !wiring.hasStrategy, !isGiven { proxy.warnOfMissingStrategy() }
    return .inTurn(proxy.line.enter())
  }

  /// Runs the call where the caller runs.
  @inline(__always)
  func run(
    _ admission: Admission, _ rule: Strategy.Rule, isGiven: Bool
  ) async -> Evocation.Result<[Model]> {
    let environment = proxy.environment
    let start = environment.log != nil || environment.recent.isOn ? environment.time.now() : nil
    let result =
      switch admission {
      case .atOnce: await read(rule, isGiven: isGiven)
      case .inTurn(let ticket): await write(ticket, rule)
      case .refused(let error): refusal(error)
      }
    if environment.hasReceivers {
      // Member by member, so that the result's type is not looked up (`find, async`).
      environment.tell(
        CallEnd(
          record: result.record, criteria: operation.criteria,
          duration: environment.duration(since: start), origin: result.origin,
          error: result.error, isPending: result.isPending),
        in: session)
    }
    return result
  }

  /// Waits for the write's turn, and runs the write in it.
  private func write(
    _ ticket: WriteSerializer.Ticket, _ rule: Strategy.Rule
  ) async -> Evocation.Result<[Model]> {
    defer {
      proxy.line.leave(ticket)
      // Reads from now on include the write, and reads that began before may not.
      proxy.joins.recordWrite()
    }
    do {
      if proxy.line.isTurn(of: ticket), let result = straight(rule) { return result }
      let watch = watchWait(ticket, rule)
      defer { watch?.cancel() }
      try await proxy.line.turn(ticket)
    } catch {
      return refusal(error)
    }
    proxy.line.setTurn(of: operation.name)
    // Set inside the closure, because generic results of closures are looked up (`storeOne`).
    var result: Evocation.Result<[Model]>?
    await proxy.line.inScope {
      guard rule.retry != nil, IdempotencyKey.current == nil else {
        return result = await execute(rule)
      }
      // A write that is sent again is the same write, so all its attempts have one key.
      await IdempotencyKey.$current.binding(UUID().uuidString) { result = await execute(rule) }
    }
    return result ?? refusal(Cancellation.error())
  }

  /// Runs the rule's steps.
  ///
  /// `failed` is an attempt at the target that has failed before.
  func execute(
    _ rule: Strategy.Rule, _ stamp: FetchStamp? = nil, failed: Evocation.Metadata? = nil
  ) async -> Evocation.Result<[Model]> {
    await Execution(self, rule, stamp: stamp, failed: failed).run()
  }

  /// Returns when the data of a repository's answer were fetched; `duration` is how long that took.
  ///
  /// The data are as old as the request, as in the ledger and in the states of caches.
  func fetched(
    from origin: Evocation.RepositoryType?, _ fetches: FetchRecords?, in duration: Duration?
  ) -> CallRecord.Fetched {
    guard origin == .remote || origin == .local && !(fetches?.isEmpty ?? true) else {
      return CallRecord.Fetched()
    }
    let now = proxy.environment.date()
    guard origin == .local, let fetches else {
      return CallRecord.Fetched(at: now - (duration?.seconds ?? 0))
    }
    // Most callers do not ask. The records are those from before local was asked, so that a later
    // fetch does not make the answer look newer.
    return CallRecord.Fetched(answeredAt: now) {
      [operation, prefix = proxy.tagPrefix, wiring] in
      operation.fetchedCriteria
        .compactMap {
          wiring.binding.date(
            of: fetches[prefix + $0.tag], mirroring: wiring.mirrors, answeredAt: now)
        }
        .max()
    }
  }
}

extension Call {
  /// Whether a fetch is known that has answered the read's criteria, for this store.
  ///
  /// Age does not count: what was fetched long ago, or was declared stale, was an answer.
  func wasFetched(_ fetches: FetchRecords) -> Bool {
    operation.fetchedCriteria.contains { criteria in
      let tag = proxy.tagPrefix + criteria.tag
      return wiring.known(fetches[tag], of: tag).map { !$0.isCleared } ?? false
    }
  }
}

/// The rule that a call was given; a class, to be one pointer wide in calls without one.
final class GivenRule: Sendable, Equatable {
  let rule: Strategy.Rule

  init(_ rule: Strategy.Rule) {
    self.rule = rule
  }

  static func == (left: GivenRule, right: GivenRule) -> Bool { left.rule == right.rule }
}

extension Call {
  /// Returns the result of a call that asked no repository.
  func refusal(_ error: any Error) -> Evocation.Result<[Model]> {
    Evocation.Result(error: error, trace: .init(model: proxy.model, call: operation.name))
  }
}

extension Route.Outcome {
  /// Creates the outcome of a repository's answer; a write that changed nothing is empty too.
  init(_ metadata: borrowing Evocation.Metadata) {
    if let error = metadata.error {
      self =
        Cancellation.isCause(of: error)
        ? .cancelled : FailureKind(error) == .transient ? .failure : .refusal
    } else {
      self = metadata.count == 0 ? .empty : .models
    }
  }
}

extension Route.Outcome {
  /// Creates the outcome of a synchronization.
  ///
  /// It counts some refusals as failures that may pass, because they do not concern the write: a
  /// refused authorization, which passes when the user signs in; a network that lets nothing
  /// through; and an answer that cannot be read.
  init(_ synchronized: Synchronized) {
    guard let metadata = synchronized.metadata else {
      self = .models
      return
    }
    self.init(metadata)
    if self == .refusal, let error = metadata.error,
      FailureKind(error) == .authorization || FailureScope(error) != .write
    {
      self = .failure
    }
  }
}

extension Strategy.Rule {
  /// Whether the target has a timeout, or may be asked again.
  package var hasTimeoutOrRetry: Bool {
    // A pattern, because a comparison with nil copies the retry.
    if case .some = retry { true } else { timeout != nil }
  }
}
