/// Calls on one model that only the local store answers.
extension Call {
  /// Runs the call where the caller is, without a route.
  ///
  /// It returns nil, and has done nothing, if the call needs more, and the caller then executes it as
  /// any other. There are these cases: the rule has a second repository, a timeout or a retry; the
  /// criteria are not an id; the store would have to wait; the fetches of the model type are not
  /// known yet; the store failed, which the trace has to say; the store has no such model, and the
  /// server may have given the id in place of another.
  @inline(never)
  func straight(_ rule: Strategy.Rule) -> Evocation.Result<[Model]>? {
    guard let local = wiring.prompt, rule.isOfLocalAlone, start == nil, !Task.isCancelled,
      !isSignedOut
    else { return nil }
    let time = proxy.environment.time
    let begun = time.now()
    var fetches: FetchRecords?
    let models: [Model]
    switch operation {
    case .read(let action, let criteria):
      guard action.findsOne, let known = proxy.knownFetches(wiring.binding).present,
        let found = try? local.findOneNow(criteria), !isSignedOut,
        found.count > 0 || !wiring.mayHaveUnsent
      else { return nil }
      models = found
      fetches = known
    case .write(let action, let given):
      guard !action.isBulk, given.count == 1,
        let written = try? local.writeNow(action.kind, given[0])
      else { return nil }
      models = written
    case .changes: return nil
    }
    let metadata = Evocation.Metadata(
      role: .target, duration: time.now() - begun, count: models.count)
    let result = result(models, metadata, of: .local, fetches: fetches)
    if !operation.isRead { recordWritten(result.record.metadata, remote: [], local: models) }
    return result
  }

  /// Returns the result of a call that asked one repository once.
  func result(
    _ models: [Model], _ metadata: consuming Evocation.Metadata, of type: Evocation.RepositoryType,
    fetches: FetchRecords?
  ) -> Evocation.Result<[Model]> {
    var record = CallRecord(model: proxy.model, call: operation.name)
    if operation.isRead {
      record.setFetched(fetched(from: type, fetches, in: metadata.duration))
    }
    record.add(metadata, of: type)
    return Evocation.Result(data: models, origin: type, isPending: false, record: consume record)
  }
}

extension Strategy.Rule {
  /// Whether it asks its target once, and takes each of its answers.
  var asksOnce: Bool {
    !hasTimeoutOrRetry && maxAge == nil && (fallback == nil || fallsBack != .onErrorOrEmpty)
  }

  /// Whether it asks local, once, and nothing else.
  fileprivate var isOfLocalAlone: Bool {
    target == .local && fallback == nil && synchronize == .off && asksOnce && !rollsBack
  }
}
