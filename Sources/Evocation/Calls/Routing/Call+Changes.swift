/// The answer to a find of a remote that lists changes, and how it was saved to local.
final class ListedAnswer<Model: Sendable> {
  let models: [Model]
  let entry: Evocation.Metadata
  /// How the answer was saved to local; nil if it is not saved yet.
  let synchronized: Synchronized?

  init(models: [Model], entry: Evocation.Metadata, synchronized: Synchronized? = nil) {
    self.models = models
    self.entry = entry
    self.synchronized = synchronized
  }
}

/// A find for which the remote lists changes, so that local then has the answer.
extension Call {
  /// Asks for the changes, and saves them, so that local has the models that the remote would
  /// answer.
  ///
  /// It returns nil if the call has to ask for all matching models. There are four cases: the
  /// remote lists no changes for these criteria; local no longer has the state that the changes are
  /// based on; a write is under way, which no read waits for; or local failed.
  func askChanges(
    _ rule: Strategy.Rule, _ stamp: FetchStamp?, mark: WriteLog<Model>.Mark?
  ) async -> ListedAnswer<Model>? {
    guard case .read(let action, let criteria) = operation, action.givesModels,
      action.scope(of: criteria) == criteria, let mark, !WriteScope.isInside(proxy.line),
      wiring.listsChanges(of: criteria)
    else { return nil }
    let stamp =
      if let stamp { stamp } else {
        await proxy.stamp(for: criteria, maxAge: .zero, isMirroring: true)
      }
    let request = ChangesRequest(criteria, since: stamp.record, in: wiring.binding)
    let call = Call(.changes(request), proxy, start: start)
    let (models, entry) =
      rule.hasTimeoutOrRetry
      ? await call.attemptWithRetries(.remote, .target, rule: rule)
      : await call.attempt(.remote, .target)
    guard entry.error == nil, let changes = request.changes else {
      return ListedAnswer(models: models, entry: entry)
    }
    let saved = await save(
      changes, models, entry: entry, criteria: criteria, mark: mark, stamp: stamp)
    if changes.since == nil {
      return ListedAnswer(models: models, entry: entry, synchronized: saved)
    }
    guard let saved, let held = try? await wiring.local?.find(criteria).value else { return nil }
    var whole = entry
    whole.count = held.count
    // The versions belong to the changed models, and not to all that match.
    whole.versions = []
    return ListedAnswer(models: held, entry: whole, synchronized: saved)
  }

  /// Saves the changes in their turn; nil if they would have to wait, or saving failed.
  private func save(
    _ changes: FetchedChanges, _ models: [Model], entry: Evocation.Metadata, criteria: Criteria,
    mark: WriteLog<Model>.Mark, stamp: FetchStamp
  ) async -> Synchronized? {
    let start = proxy.environment.time.now()
    let (ticket, isBehindWrite) = proxy.line.enterToSave()
    guard !isBehindWrite else {
      proxy.line.leave(ticket)
      return nil
    }
    let fetched = try? await proxy.line.run(ticket) {
      if mark.isSignedOut { throw EvocationError.signedOut(model: proxy.model) }
      if isReplaced(mark) { throw OutdatedStamp() }
      let fetched = mark.written.applied(
        to: models, versions: entry.versions, unsaid: proxy.unsaid(models, entry.values))
      try await proxy.save(
        changes, fetched, for: criteria, stamp: stamp, in: wiring.binding, since: mark)
      return fetched
    }
    guard let fetched else { return nil }
    proxy.shareFetch(stamp)
    let metadata = Evocation.Metadata(
      role: .synchronization, duration: proxy.environment.time.now() - start,
      count: fetched.models.count)
    return Synchronized(metadata: metadata, note: fetched.note)
  }
}
