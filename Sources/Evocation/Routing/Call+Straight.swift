/// Calls on one model that only the local store answers.
extension Call {
  /// Runs the call where the caller is, without a route.
  ///
  /// It returns nil, and has done nothing, if the call needs more, and the caller then executes it as
  /// any other. There are these cases: the rule has a second repository, a timeout or a retry; the
  /// criteria are not an id; the store would have to wait; the fetches of the model type are not
  /// known yet; the store failed, which the trace has to say.
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
      guard action.findsOne, let known = proxy.knownFetches(wiring.place).present,
        let found = try? local.findOneNow(criteria), !isSignedOut
      else { return nil }
      models = found
      fetches = known.isEmpty ? nil : known
    case .write(let action, let given):
      guard !action.isBulk, given.count == 1,
        let written = try? local.writeNow(action.kind, given[0])
      else { return nil }
      models = written
    case .changes: return nil
    }
    var record = CallRecord(model: proxy.model, call: operation.name)
    record.note(
      Evocation.Metadata(role: .target, duration: time.now() - begun, count: models.count),
      of: .local)
    if operation.isRead {
      record.noteFetched(fetched(from: .local, fetches))
    } else {
      noteWritten(record.metadata, remote: [], local: models)
    }
    return Evocation.Result(
      data: models, origin: .local, error: nil, synchronizationError: nil, values: [:],
      record: record)
  }
}

extension Strategy.Rule {
  /// Whether it asks local, once, and nothing else.
  fileprivate var isOfLocalAlone: Bool {
    target == .local && fallback == nil && synchronize == .off && !hasTimeoutOrRetry
      && maxAge == nil && !rollsBack
  }
}
