/// How the second repository was synchronized: metadata, nil if it was not asked, and a remark.
struct Synchronized: Sendable {
  var metadata: Evocation.Metadata?
  var note: String?
  /// Whether it was done in steps, so that a failure may have left a part of it done.
  var isInSteps = false
}

/// The models that the second repository has to save.
package final class FetchedCopy<Model: Sendable>: Sendable {
  let fetched: FetchedModels<Model>
  /// Whether the repository keeps no other matching models.
  let isMirroring: Bool
  /// The fetch date to record with the models.
  let stamp: FetchStamp?

  init(_ fetched: FetchedModels<Model>, isMirroring: Bool, stamp: FetchStamp?) {
    self.fetched = fetched
    self.isMirroring = isMirroring
    self.stamp = stamp
  }
}

extension Call {
  /// Returns the rule by which an answer is saved: a part of what matches removes nothing.
  func saving(
    _ models: [Model], _ values: [String: any Sendable]?, by rule: Strategy.Rule
  ) -> Strategy.Rule {
    guard rule.synchronize == .mirror, let criteria = operation.criteria,
      !criteria.isWhole(models, of: values?["totalCount"] as? Int)
    else { return rule }
    var saving = rule
    saving.synchronize = .upsert
    return saving
  }

  /// Writes the target's answer to the second repository.
  ///
  /// The answer of a write is saved in the write's own turn. Fetched models take a turn of their
  /// own, and do not overwrite the app's writes since the fetch began. A read waits for no write:
  /// if one is under way, the models are saved after it, and after the read has returned.
  func synchronize(
    _ type: Evocation.RepositoryType, with models: [Model], rule: Strategy.Rule,
    mark: WriteLog<Model>.Mark?, stamp: FetchStamp?, versions: [String?], unsaid: UnsaidKeys,
    former: [Model] = []
  ) async -> Synchronized {
    guard let mark, !WriteScope.isInside(proxy.line) else {
      defer { if let stamp { proxy.shareFetch(stamp) } }
      return await copy(
        FetchedModels(models, versions: versions, unsaid: unsaid), to: type, rule: rule,
        stamp: stamp, former: former)
    }
    let (ticket, isBehindWrite) = proxy.line.enterToSave()
    guard isBehindWrite else {
      return await saveFetched(
        models, in: type, rule: rule, mark: mark, ticket: ticket, stamp: stamp,
        versions: versions, unsaid: unsaid)
    }
    let behind = { @Sendable [self] () async -> Void in
      let synchronized = await saveFetched(
        models, in: type, rule: rule, mark: mark, ticket: ticket, stamp: stamp,
        versions: versions, unsaid: unsaid)
      var record = CallRecord(model: proxy.model, call: operation.name)
      record.add(synchronized, of: type)
      proxy.environment.onEvent(in: session)?(record.trace)
    }
    // No call waits for it, so it runs outside the scope of the write that this call may be in.
    WriteScope.apart { _ = Task { await behind() } }
    return Synchronized(note: "the local store saves it after the writes that were already running")
  }

  /// Saves fetched models in their turn, without those that the app has written since.
  func saveFetched(
    _ models: [Model], in type: Evocation.RepositoryType, rule: Strategy.Rule,
    mark: WriteLog<Model>.Mark, ticket: WriteSerializer.Ticket, stamp: FetchStamp?,
    versions: [String?], unsaid: UnsaidKeys
  ) async -> Synchronized {
    defer { if let stamp { proxy.shareFetch(stamp) } }
    let stamp = stamp?.leavingOut(unsaid.leftOut?.count)
    do {
      return try await proxy.line.run(ticket) {
        if mark.isSignedOut { throw EvocationError.signedOut(model: proxy.model) }
        if isReplaced(mark) { return Synchronized(note: replaced) }
        guard !mark.isQuiet else {
          let fetched = FetchedModels(models, versions: versions, unsaid: unsaid)
          return await copy(fetched, to: type, rule: rule, stamp: stamp, since: mark)
        }
        let written = mark.written
        if written.isUnknown {
          return Synchronized(note: "\(proxy.model) was written in the meantime")
        }
        let fetched = written.applied(to: models, versions: versions, unsaid: unsaid)
        if fetched.isWhollyDropped, rule.synchronize != .mirror {
          return Synchronized(metadata: .init(role: .synchronization), note: fetched.note)
        }
        return await copy(fetched, to: type, rule: rule, stamp: stamp, since: mark)
      }
    } catch {
      return Synchronized(metadata: .init(role: .synchronization, error: error))
    }
  }

  /// Whether another service's models are in the local repository by now.
  func isReplaced(_ mark: WriteLog<Model>.Mark) -> Bool {
    mark.isReplaced(in: wiring.binding.store)
  }

  private var replaced: String { "another remote repository was registered for \(proxy.model)" }

  /// Records that the remote answered with nothing, so that there is nothing to save to local.
  ///
  /// It waits for no write, and ignores errors: the next read then asks the remote once more.
  @inline(never)
  func dateNothing(_ mark: WriteLog<Model>.Mark, _ stamp: FetchStamp) async {
    guard wiring.hasLocal, !WriteScope.isInside(proxy.line) else { return }
    let (ticket, isBehindWrite) = proxy.line.enterToSave()
    guard !isBehindWrite else { return proxy.line.leave(ticket) }
    try? await proxy.line.run(ticket) {
      if mark.isSignedOut || isReplaced(mark) { return }
      if let whole = wiring.binding.transactional {
        _ = try await whole.commit(StoreWrite([], stamp: stamp, source: .remote))
      } else {
        try await stamp.write()
      }
    }
    proxy.shareFetch(stamp)
  }

  private func copy(
    _ fetched: FetchedModels<Model>, to type: Evocation.RepositoryType, rule: Strategy.Rule,
    stamp: FetchStamp?, since mark: WriteLog<Model>.Mark? = nil, former: [Model] = []
  ) async -> Synchronized {
    let isMirroring = rule.synchronize == .mirror
    let copy = FetchedCopy(fetched, isMirroring: isMirroring, stamp: stamp)
    let isWhole = type == .local && wiring.binding.transactional != nil
    let (removed, metadata) =
      if type == .remote, !operation.isRead {
        await onBase(rule, former: former) {
          await attempt(type, .synchronization, copying: copy)
        }
      } else {
        await attempt(type, .synchronization, copying: copy)
      }
    if type == .remote, !operation.isRead { await keepVersion(metadata) }
    if metadata.error == nil { mark?.recordSaved(fetched.models, removed: removed) }
    return Synchronized(
      metadata: metadata,
      note: fetched.note, isInSteps: !isWhole && (isMirroring || rule.maxAge != nil))
  }

  /// Records for running fetches which models a write has changed.
  ///
  /// - A model that local has really written is the newest: local inserted or removed it, saved it
  ///   as a copy, or had it and updated it.
  /// - If only the remote wrote a model, the remote's answer is the newest, and a model that it
  ///   removed is gone.
  /// - A model that neither wrote stays as it is fetched.
  func recordWritten(
    _ metadata: Evocation.MetadataByRepository, remote: [Model], local: [Model]
  ) {
    let isInRemote = metadata[.remote]?.hasWritten ?? false
    let isInLocal = metadata[.local]?.hasWritten ?? false
    guard isInLocal || isInRemote else { return }
    let (isRemoval, models) = (operation.action.isRemoval, operation.models)
    let wasRemoteAsked = isInRemote && metadata[.remote]?.role != .synchronization
    let isCopied = metadata[.local]?.role == .synchronization
    proxy.log.record { written in
      if wasRemoteAsked {
        for gone in isRemoval ? [models, remote] : [] { _ = written.record(gone) { .gone($0) } }
        if !isRemoval { _ = written.record(remote) { .answered($0) } }
      }
      guard isInLocal else { return }
      if !isCopied, !operation.action.isUpdate { _ = written.record(models) { .kept($0) } }
      _ = written.record(isCopied ? remote : local) { .kept($0) }
    }
  }

  /// Asks the target after local has answered, unless an equal read behind an answer is under way.
  func revalidate(_ rule: Strategy.Rule, _ stamp: FetchStamp?) {
    _ = readBehind { [self] in
      let record = await execute(rule.behind, stamp).record
      if let criteria = operation.criteria {
        wiring.failedRefreshes.record(
          record.metadata, of: criteria, in: session, at: proxy.environment.date())
      }
      return record
    }
  }

  /// Begins a read for which no call waits; returns false if an equal one is under way.
  ///
  /// It runs outside the scope of the write that this call may be in, and its record is reported.
  func readBehind(_ body: @escaping @Sendable () async -> CallRecord?) -> Bool {
    guard case .read(let action, let criteria) = operation,
      let ticket = proxy.joins.beginAlone(
        ReadJoins.Kind(action, wiring, isBehindAnswer: true), criteria, by: readStart)
    else { return false }
    WriteScope.apart {
      _ = Task(executorPreference: start?.another()) { [self] in
        let record = await BackgroundWork.$current.withValue(BackgroundWork()) { await body() }
        _ = proxy.joins.end(ticket)
        if let record { proxy.environment.onEvent(in: session)?(record.trace) }
      }
    }
    return true
  }
}

extension Strategy.Rule {
  /// The same for a fetch for which no call waits, so that it waits for a late answer itself.
  fileprivate var behind: Strategy.Rule {
    var rule = self
    rule.revalidates = false
    if !isBehind { rule.timeout = timeout.map { max($0, LateAnswer<Void>.longest) } }
    rule.isBehind = true
    return rule
  }

  /// The rule by which to fetch what the local store may lack; nil if this one never asks the remote.
  ///
  /// It saves what it fetches, and removes local models only if this one would.
  var fetching: Strategy.Rule? {
    guard target == .remote else {
      return fallback == .remote ? Strategy.Rule(target: .remote) : nil
    }
    var rule = behind
    rule.fallback = nil
    rule.maxAge = nil
    if synchronize != .mirror { rule.synchronize = .upsert }
    return rule
  }
}

extension Evocation.Metadata {
  /// Whether the repository still has the write.
  ///
  /// A write that failed has changed nothing, and neither has one that was undone.
  fileprivate var hasWritten: Bool { (error == nil) != (role == .rollback) }
}

extension CallRecord {
  /// Records how the second repository was synchronized.
  mutating func add(_ synchronized: Synchronized, of type: Evocation.RepositoryType) {
    if let metadata = synchronized.metadata { add(metadata, of: type) }
    if synchronized.isInSteps {
      addToFailure("The repository writes in steps, so a part of the write may be done.")
    }
    if let reason = synchronized.note { skip(type, .synchronization, reason: reason) }
  }
}
