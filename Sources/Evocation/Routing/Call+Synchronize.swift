/// How a counterpart was synchronized: its metadata, nil where it was not asked, and a remark.
struct Synchronized: Sendable {
  var metadata: Evocation.Metadata?
  var note: String?
  /// Whether it was done in steps, so that a failure may have left a part of it done.
  var isInSteps = false
}

/// What the counterpart is given to keep.
///
/// It is a class to be one pointer wide in calls that copy nothing.
final class FetchedCopy<Model: Sendable>: Sendable {
  let fetched: FetchedModels<Model>
  /// Whether it is to keep nothing else.
  let isMirroring: Bool
  /// What is to be remembered with it.
  let stamp: FetchStamp?

  init(fetched: FetchedModels<Model>, isMirroring: Bool, stamp: FetchStamp?) {
    self.fetched = fetched
    self.isMirroring = isMirroring
    self.stamp = stamp
  }
}

extension Call {
  /// Keeps the counterpart in step.
  ///
  /// What a write answered goes over in the write's own turn. What a read fetched takes a turn of its
  /// own, and leaves alone what the app wrote since. A read waits for no write: where one is on its
  /// way, what was fetched goes over behind it, and behind the answer.
  func synchronize(
    _ type: Evocation.RepositoryType, with models: [Model], _ rule: Strategy.Rule,
    _ mark: WriteLog<Model>.Mark?, _ stamp: FetchStamp?, versions: [String?]
  ) async -> Synchronized {
    guard let mark, !WriteScope.isInside(proxy.line) else {
      defer { if let stamp { proxy.noteFetched(stamp) } }
      return await copy(FetchedModels(models, versions: versions), to: type, rule, stamp)
    }
    let (ticket, isBehindWrite) = proxy.line.enterToSave()
    guard isBehindWrite else {
      return await land(models, in: type, rule, mark, ticket, stamp, versions)
    }
    let behind = { @Sendable () async -> Void in
      let synchronized = await land(models, in: type, rule, mark, ticket, stamp, versions)
      var record = CallRecord(model: proxy.model, call: operation.name)
      record.note(synchronized, of: type)
      proxy.environment.onEvent?(record.trace)
    }
    // No call waits for it, so it runs outside the scope of the write that this call may be in.
    WriteScope.apart { _ = Task { await behind() } }
    return Synchronized(note: "the local store saves it after the writes that were already running")
  }

  /// Brings what was fetched down in its turn, apart from what the app wrote since.
  func land(
    _ models: [Model], in type: Evocation.RepositoryType, _ rule: Strategy.Rule,
    _ mark: WriteLog<Model>.Mark, _ ticket: WriteSerializer.Ticket, _ stamp: FetchStamp?,
    _ versions: [String?]
  ) async -> Synchronized {
    defer { if let stamp { proxy.noteFetched(stamp) } }
    do {
      return try await proxy.line.run(ticket) {
        if mark.isSignedOut { throw EvocationError.signedOut(model: proxy.model) }
        guard !mark.isQuiet else {
          let fetched = FetchedModels(models, versions: versions)
          return await copy(fetched, to: type, rule, stamp, since: mark)
        }
        let written = mark.written
        if written.isUnknown { return Synchronized(note: "\(proxy.model) was written meanwhile") }
        let fetched = written.applied(to: models, versions: versions)
        if fetched.isWhollyDropped, rule.synchronize != .mirror {
          return Synchronized(metadata: .init(role: .synchronization), note: fetched.note)
        }
        return await copy(fetched, to: type, rule, stamp, since: mark)
      }
    } catch {
      return Synchronized(metadata: .init(role: .synchronization, error: error))
    }
  }

  /// Remembers that the remote answered with nothing, of which nothing goes over to local.
  ///
  /// It waits for no write, and fails in silence: the next read asks the remote once more then.
  @inline(never)
  func dateNothing(_ mark: WriteLog<Model>.Mark, _ stamp: FetchStamp) async {
    guard wiring.hasLocal, !WriteScope.isInside(proxy.line) else { return }
    let (ticket, isBehindWrite) = proxy.line.enterToSave()
    guard !isBehindWrite else { return proxy.line.leave(ticket) }
    try? await proxy.line.run(ticket) {
      if mark.isSignedOut { return }
      if let whole = wiring.place.transactional {
        _ = try await whole.commit(StoreWrite([], stamp: stamp, source: .remote))
      } else {
        try await stamp.write()
      }
    }
    proxy.noteFetched(stamp)
  }

  /// Runs the body as a write on the model type, so that a write inside it is seen.
  func inWriteScope<Value>(_ body: () async -> Value) async -> Value {
    let scope = WriteScope(proxy.line)
    defer { scope.close() }
    return await WriteScope.$current.binding(scope, body)
  }

  private func copy(
    _ fetched: FetchedModels<Model>, to type: Evocation.RepositoryType, _ rule: Strategy.Rule,
    _ stamp: FetchStamp?, since mark: WriteLog<Model>.Mark? = nil
  ) async -> Synchronized {
    let isMirroring = rule.synchronize == .mirror
    let copy = FetchedCopy(fetched: fetched, isMirroring: isMirroring, stamp: stamp)
    let isWhole = type == .local && wiring.place.transactional != nil
    let (removed, metadata) =
      if type == .remote, !operation.isRead, let base = await writeBase(rule) {
        await WriteBase.$current.withValue(base) {
          await attempt(type, .synchronization, copying: copy)
        }
      } else {
        await attempt(type, .synchronization, copying: copy)
      }
    if type == .remote, !operation.isRead { await keepVersion(metadata) }
    if metadata.error == nil { mark?.noteLanded(fetched.models, removed: removed) }
    return Synchronized(
      metadata: metadata,
      note: fetched.note, isInSteps: !isWhole && (isMirroring || rule.maxAge != nil))
  }

  /// Tells fetches that are under way which models a write has made old of what they bring.
  ///
  /// - What local has really written is the newest there is: what it stored, removed, was given as a
  ///   copy, and of what it was to update that which it had.
  /// - Where only the remote wrote, its answer is the newest, and what was removed there is gone.
  /// - What nobody wrote stays as it is fetched.
  func noteWritten(
    _ metadata: Evocation.MetadataByRepository, remote: [Model], local: [Model]
  ) {
    let isInRemote = metadata[.remote]?.hasWritten ?? false
    let isInLocal = metadata[.local]?.hasWritten ?? false
    guard isInLocal || isInRemote else { return }
    let (isRemoval, models) = (operation.action.isRemoval, operation.models)
    let wasRemoteAsked = isInRemote && metadata[.remote]?.role != .synchronization
    let isCopied = metadata[.local]?.role == .synchronization
    proxy.log.note { written in
      if wasRemoteAsked {
        for gone in isRemoval ? [models, remote] : [] { _ = written.note(gone) { .gone($0) } }
        if !isRemoval { _ = written.note(remote) { .answered($0) } }
      }
      guard isInLocal else { return }
      if !isCopied, !operation.action.isUpdate { _ = written.note(models) { .kept($0) } }
      _ = written.note(isCopied ? remote : local) { .kept($0) }
    }
  }

  /// Asks the target behind an answer that local gave, unless that is under way.
  func revalidate(_ rule: Strategy.Rule, _ stamp: FetchStamp?) {
    guard case .read(let action, let criteria) = operation,
      let ticket = proxy.joins.beginAlone(
        ReadJoins.Kind(action, wiring, isBehindAnswer: true), criteria, by: beginning)
    else { return }
    var fetch = rule
    fetch.revalidates = false
    // Nobody waits for it, so what comes late is waited for here and not kept beside it.
    if rule.keepsLate { fetch.timeout = rule.timeout.map { max($0, LateAnswer<Model>.longest) } }
    fetch.keepsLate = false
    // No call waits for it, so it runs outside the scope of the write that this call may be in.
    WriteScope.apart {
      _ = Task(executorPreference: start?.another()) { [fetch] in
        let freshness = stamp.map { CriteriaFreshness(isFresh: false, stamp: $0) }
        let result = await execute(fetch, freshness)
        _ = proxy.joins.end(ticket)
        proxy.environment.onEvent?(result.trace)
      }
    }
  }
}

extension Evocation.Metadata {
  /// Whether the repository still has what it was asked to write.
  ///
  /// A write that failed has done nothing, and one that was taken back is as if it had not been.
  fileprivate var hasWritten: Bool { (error == nil) != (role == .rollback) }
}

extension CallRecord {
  /// Notes how a counterpart was synchronized.
  mutating func note(_ synchronized: Synchronized, of type: Evocation.RepositoryType) {
    if let metadata = synchronized.metadata { note(metadata, of: type) }
    if synchronized.isInSteps {
      addToFailure("The repository writes in steps, so a part of the write may be done.")
    }
    if let reason = synchronized.note { skip(type, .synchronization, reason) }
  }
}
