/// Reads, of which equal ones share one request.
extension Call {
  /// Reads under the ids that the server has given in the meantime.
  @inline(__always)
  func read(_ rule: Strategy.Rule, isGiven: Bool) async -> Evocation.Result<[Model]> {
    if let result = straight(rule) { return result }
    let call = wiring.mayHaveUnsent ? await following() : self
    return await call.readPresent(rule, isGiven: isGiven)
  }

  private func readPresent(
    _ rule: Strategy.Rule, isGiven: Bool
  ) async -> Evocation.Result<[Model]> {
    if isSignedOut { return signedOut }
    if rule.target == .remote {
      switch join(rule, isGiven: isGiven) {
      case .asks(let ticket): return await lead(ticket, rule)
      case .takes(let joined): return await take(joined, rule, isGiven: isGiven)
      case nil: break
      }
    }
    return await ask(rule)
  }

  /// Reads without joining a running read.
  ///
  /// There are two cases. A plain read needs nothing but the answer of its target; if that fails,
  /// the route goes on with the failed attempt. Any other read follows the route from its beginning.
  ///
  /// There is one call of `execute`, because every call reserves memory for each of them
  /// (`find, async`).
  private func ask(
    _ rule: Strategy.Rule, failed: Evocation.Metadata? = nil
  ) async -> Evocation.Result<[Model]> {
    var (failed, stamp): (Evocation.Metadata?, FetchStamp?) = (failed, nil)
    // Looked up once, before it is known whether the read is plain (`find, async`).
    let fetches =
      failed == nil && rule.target == .local ? proxy.knownFetches(wiring.binding).present : nil
    if failed == nil, isPlain(rule, fetches) {
      let (models, metadata) = await attempt(rule.target, .target)
      if metadata.error == nil {
        return isSignedOut
          ? signedOut : result(models, metadata, of: rule.target, fetches: fetches)
      }
      failed = metadata
    } else if rule.target == .remote {
      let isKept = rule.synchronize != .off && wiring.hasLocal && operation.givesModels
      // No fetch of a part is recorded, because local cannot tell which models it had.
      if isKept || rule.maxAge != nil, let criteria = operation.criteria,
        !criteria.isPart(of: Model.self)
      {
        stamp = await proxy.stamp(
          for: criteria, maxAge: rule.maxAge, isMirroring: rule.synchronize == .mirror)
      }
    }
    return await execute(rule, stamp, failed: failed)
  }

  /// Whether a read only needs the answer of its target, if that succeeds.
  ///
  /// `fetches` are the known fetches into local, if that is the target.
  private func isPlain(_ rule: Strategy.Rule, _ fetches: FetchRecords?) -> Bool {
    guard rule.asksOnce, rule.synchronize == .off || !operation.givesModels else { return false }
    return rule.target == .remote
      ? wiring.hasRemote && !wiring.mayHaveUnsent
      : wiring.hasLocal && fetches != nil
  }

  private func join(_ rule: Strategy.Rule, isGiven: Bool) -> ReadJoins.Part? {
    guard rule.joins == .on, case .read(let action, let criteria) = operation else { return nil }
    let isOwn = isGiven && rule != wiring.strategy[operation.action]
    let kind = ReadJoins.Kind(
      action, wiring, rule: isOwn ? GivenRule(rule) : nil, key: proxy.environment.joinKey?())
    return proxy.joins.begin(kind, criteria, by: readStart)
  }

  /// Reads for all calls that join; if this call is canceled, they immediately ask for themselves.
  private func lead(
    _ ticket: ReadJoins.Ticket, _ rule: Strategy.Rule
  ) async -> Evocation.Result<[Model]> {
    let joins = proxy.joins
    // Set inside the closures, because generic results of closures cost as much as the rest
    // (`find, async`).
    var result: Evocation.Result<[Model]>?
    await withCancellationHandler {
      await ReadJoins.$numberAround.binding(ticket) { result = await ask(rule) }
    } onCancel: {
      joins.leave(ticket)
    }
    let waiting = joins.end(ticket)
    guard let result else { return refusal(Cancellation.error()) }
    if !waiting.isEmpty { give(result, to: waiting) }
    return result
  }

  @inline(never)
  private func give(_ result: Evocation.Result<[Model]>, to waiting: [JoinedRead]) {
    let wasCancelled = [result.error, result.synchronizationError].contains {
      $0.map(Cancellation.isCause) ?? false
    }
    // A read that began after a sign-out asks for itself.
    let isNothing = wasCancelled || result.error as? EvocationError == .signedOut(model: "")
    for joined in waiting { joined.outcome.fulfil(isNothing ? .nothing : .result(result)) }
  }

  /// Takes the result of an equal running read, or reads itself if that is canceled.
  private func take(
    _ joined: JoinedRead, _ rule: Strategy.Rule, isGiven: Bool
  ) async -> Evocation.Result<[Model]> {
    let time = proxy.environment.time
    let since = waitingSince ?? time.now()
    let left = rule.longestWait(for: self).map { since.adding($0).subtracting(time.now()) }
    let outcome = await joined.outcome.value(
      within: left, by: time, else: .late, ifCancelled: .cancelled)
    switch outcome {
    case .result(var result as Evocation.Result<[Model]>):
      if isSignedOut { return signedOut }
      result.record.addJoined(rule.target)
      return result
    case .result, .nothing:
      // What is left of the limit, however many reads it has waited for.
      let call = waitingSince == nil ? Call(self, waitingSince: since) : self
      return call.hasTime(for: rule)
        ? await call.read(rule, isGiven: isGiven) : await ask(rule, failed: lateness(rule))
    case .late: return await ask(rule, failed: lateness(rule))
    case .cancelled: return refusal(Cancellation.error())
    }
  }

  /// Whether a sign-out came since the call was made, so that it asks and saves nothing any more.
  var isSignedOut: Bool { session.isOver }

  var signedOut: Evocation.Result<[Model]> {
    refusal(EvocationError.signedOut(model: proxy.model))
  }

  /// The facts of a read that begins, which decide whether it may join another.
  var readStart: ReadJoins.Start {
    ReadJoins.Start(in: session, at: proxy.environment.time.now())
  }
}
