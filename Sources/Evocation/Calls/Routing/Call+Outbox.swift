package import Foundation

/// Sends the writes that local repositories have queued.
package protocol OutboxSender: AnyObject, Sendable {
  /// Records that a proxy's repositories or its strategy have changed.
  func updateWiring<Model: Sendable>(of proxy: Proxy<Model>)
  /// Notes inside a write's transaction that it takes an entry back.
  var recordWithdrawn: @Sendable (String) -> Void { get }
  /// Records the write that a call has queued.
  func recordQueued<Model: Sendable>(
    _ write: QueuedWrite<Model>, _ kind: String, in proxy: Proxy<Model>)
  /// Records that the entries of one model type wait for those of another.
  func addDependency<Model: Sendable, Other: Identifiable & Sendable>(
    of proxy: Proxy<Model>, on other: Other.Type, dependency: OutboxDependency<Other>)
  /// Returns the queue of a model type; nil while it has no outbox.
  func queue<Other: Sendable>(of other: Other.Type) -> String?
  /// Returns the reference to an instance; nil while its model type has no outbox.
  func reference<Other: Identifiable & Sendable>(
    to id: Other.ID, of other: Other.Type
  ) -> Outbox.Reference?
  /// Stops sending the entries of a model type that is no longer registered.
  func forget(_ type: ObjectIdentifier)
  /// Whether servers can be reached, as far as is known.
  var isOnline: Bool { get }
  /// Begins to observe connectivity, once there is something to send or to keep up to date.
  func followConnectivity()
  /// Validates observed caches, after it has sent what is unsent.
  func validateObserved()
}

/// How entries of another model type change when a server assigns an instance its id.
package struct OutboxDependency<Other: Sendable>: Sendable {
  /// Changes them in a transaction of the store that they share.
  package let rekey:
    @Sendable (any OutboxTransaction<Other>, _ from: Other, _ to: Other) throws -> Void

  package init(
    rekey: @escaping @Sendable (any OutboxTransaction<Other>, Other, Other) throws -> Void
  ) {
    self.rekey = rekey
  }
}

struct WeakSender {
  weak var sender: (any OutboxSender)?
}

/// The entries of one write, and the sender, which a result does not retain.
package final class QueuedEntries: Sendable {
  package let rows: [OutboxRow]
  private let weakSender: Lock<WeakSender>

  init(_ rows: [OutboxRow], _ sender: (any OutboxSender)?) {
    self.rows = rows
    weakSender = Lock(WeakSender(sender: sender))
  }

  package var sender: (any OutboxSender)? { weakSender.withLock { $0.sender } }
}

/// The declarations about a model type's writes that the outbox sends.
///
/// They belong to the proxy, and do not change with its repositories.
package final class OutboxLink<Model: Sendable>: Sendable {
  package struct State: Sendable {
    /// Why no write can be queued, whatever the repositories are; nil if writes can.
    package var refusal: EvocationError?
    /// The error if the entries are in another store than those that they wait for; otherwise nil.
    package var separation: EvocationError?
    /// The properties that refer to models whose entries are sent first, each once.
    package var links: [ModelLink<Model>] = []
    package var detection = Outbox.ConflictDetection.automatic
    /// The app's resolver of conflicts.
    package var resolver:
      (@Sendable (Outbox.Conflict<Model>) async throws -> Outbox.Resolution<Model>)?
    /// The properties of the app's device alone.
    var localKeys: Set<String> = []
    /// What else to do with each proxy that has these declarations, when it is registered, by the type
    /// that it is about.
    var declarations: [ObjectIdentifier: @Sendable (Proxy<Model>) -> Void] = [:]
  }

  package let state: Lock<State>

  /// What another registration keeps of the declarations before it.
  enum Kept {
    /// Everything, because the app declares nothing with the registration.
    case all
    /// All but the references, which the links of a chain declare.
    case noReferences
    /// Nothing, because the app declares everything with the registration.
    case nothing
  }

  /// Creates it for another registration.
  init(_ former: OutboxLink?, keeping kept: Kept) {
    var known = kept == .nothing ? State() : former?.state.withLock { $0 } ?? State()
    (known.refusal, known.separation) = (nil, nil)
    if kept == .noReferences { (known.links, known.declarations) = ([], [:]) }
    state = Lock(known)
  }

  /// Adds a property that refers to other models, in place of an earlier declaration of it.
  package func add(_ link: ModelLink<Model>) {
    state.withLock { state in
      let known = state.links.firstIndex { $0.path as AnyKeyPath == link.path as AnyKeyPath }
      if let known { state.links[known] = link } else { state.links.append(link) }
    }
  }

  /// Returns the data for entries that are queued at this date.
  package func entryNote(at date: Date) -> OutboxNote<Model> {
    let state = state.withLock { $0 }
    return OutboxNote(queuedAt: date, references: state.references, following: state.following)
  }
}

/// A property of a model that refers to another model.
package struct ModelLink<Model: Sendable>: Sendable {
  package let path: any AnyKeyPath & Sendable
  /// The coding key of the property.
  let key: Criteria.Key
  /// Returns the queue of what it refers to; nil while that is not registered.
  let queue: @Sendable () -> String?
  /// Reads and changes the property, with the type of what it refers to.
  package let property: any Sendable
  /// Returns the instance that a model refers to; nil if it refers to none.
  package let reference: @Sendable (Model) -> Outbox.Reference?
  /// Changes what a model refers to, if that was renamed.
  let following: OutboxNote<Model>.Following

  package init(
    path: any PartialKeyPath<Model> & Sendable, queue: @escaping @Sendable () -> String?,
    property: any Sendable,
    reference: @escaping @Sendable (Model) -> Outbox.Reference?,
    following: @escaping OutboxNote<Model>.Following
  ) {
    self.path = path
    key = Criteria.Key(path)
    self.queue = queue
    self.property = property
    self.reference = reference
    self.following = following
  }
}

extension OutboxLink.State {
  /// Finds the instances that a model refers to, each once; nil for a type that refers to none.
  package var references: OutboxNote<Model>.References? {
    if links.isEmpty { return nil }
    return { [links] model in
      links.reduce(into: []) { found, link in
        if let next = link.reference(model), !found.contains(next) { found.append(next) }
      }
    }
  }

  /// Updates what a model refers to; nil for a type that refers to none.
  package var following: OutboxNote<Model>.Following? {
    if links.isEmpty { return nil }
    return { [links] model, renaming in
      try links.reduce(model) { try $1.following($0, renaming) }
    }
  }
}

/// The part of a call that concerns the outbox.
extension Call {
  /// Writes to local, and queues the write for the remote.
  func queue(_ priority: Strategy.Priority) async throws -> Answer<Model> {
    let link = proxy.outboxLink.state.withLock { $0 }
    if let refusal = link.refusal ?? link.separation { throw refusal }
    var note = proxy.outboxLink.entryNote(at: proxy.environment.date())
    note.priority = priority
    note.recordWithdrawn = proxy.environment.outbox?.recordWithdrawn
    guard let outbox = wiring.binding.outbox,
      let answer = try await operation.queue(note, in: outbox)
    else {
      throw EvocationError.outboxUnavailable(model: proxy.model, action: operation.action)
    }
    proxy.environment.outbox?.recordQueued(answer, operation.name, in: proxy)
    return Answer(answer)
  }

  /// Returns the metadata of queued entries.
  func queued(_ entries: [OutboxRow]) -> Evocation.Metadata.Queued {
    Evocation.Metadata.Queued(
      isDurable: wiring.binding.keepsEntries,
      delivery: QueuedEntries(entries, proxy.environment.outbox))
  }

  /// Sends a write to the remote with the server's version of its model and the model as local had it.
  ///
  /// Only a write of one model has them. `former` are the models as local had them before it executed
  /// the write itself; nil if the remote is asked first.
  func onBase<Result>(
    _ rule: Strategy.Rule, former: [Model]? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async -> Result
  ) async -> Result {
    guard let outbox = wiring.binding.outbox, operation.models.count == 1 else {
      return await body()
    }
    let model = operation.models[0]
    let asksVersion = wiring.mayHaveUnsent && rule.synchronize != .off
    let asksModel = operation.action.isUpdate && former == nil
    guard asksVersion || operation.action.isUpdate else { return await body() }
    let known = try? await outbox.look(isShort: true) { transaction in
      VersionedModel<Model>(
        asksModel ? try transaction.known(of: model) : nil,
        version: asksVersion ? try transaction.version(of: model) : nil)
    }
    let base = known?.version.map { WriteBase(model: nil, condition: .version($0)) }
    let held = operation.action.isUpdate ? former?.first ?? known?.model : nil
    return await WriteBase.$current.binding(base ?? WriteBase.current) {
      await WriteBase.$former.binding(held) { await body() }
    }
  }

  /// Saves in local the versions with which the remote answered a copy of a write.
  func keepVersion(_ metadata: Evocation.Metadata) async {
    guard metadata.error == nil, !operation.action.isRemoval,
      wiring.mayHaveUnsent || !metadata.versions.isEmpty, let outbox = wiring.binding.outbox
    else { return }
    let models = operation.models
    try? await outbox.transact(isShort: models.count == 1) { transaction in
      guard try transaction.hasNotes || !metadata.versions.isEmpty else { return }
      let areSaid = models.count == metadata.versions.count
      for (index, model) in models.enumerated() {
        try transaction.setVersion(areSaid ? metadata.versions[index] : nil, of: model)
      }
    }
  }

  /// Returns the models to show of the remote's answer with unsent changes; nil for all of it.
  ///
  /// It sets the count of the entry to the number of shown models. It may ask the remote again, for
  /// the rest of the timeout.
  package func overlayUnsent(
    _ models: [Model], _ entry: inout Evocation.Metadata, mark: WriteLog<Model>.Mark?,
    timeout: Duration?
  ) async -> [Model]? {
    guard entry.error == nil, let outbox = wiring.binding.outbox,
      case .read(let read, let criteria) = operation
    else { return nil }
    let settled = mark.map { $0.isQuiet ? [] : $0.written.kept } ?? []
    guard let overlay = UnsentOverlay<Model>(read.scope(of: criteria), settled: settled)
    else { return nil }
    let start = waitingSince ?? proxy.environment.time.now().subtracting(entry.duration)
    let patience = timeout.map { Patience(timeout: $0, end: start.adding($0)) }
    do {
      if settled.isEmpty, try await outbox.look(isShort: true, { try $0.isEmpty }) { return nil }
      guard operation.givesModels else {
        // The outbox may have sent writes while the remote counted, so the remote counts again.
        let found =
          settled.isEmpty
          ? entry.count
          : try await askAgain(patience) { try await read.ask($0, for: criteria).count }
        let now = settled.isEmpty ? overlay : UnsentOverlay(read.scope(of: criteria), settled: [])
        entry.count = try await count(
          found, read, overlay: now ?? overlay, outbox: outbox, patience: patience)
        return nil
      }
      let shown = try await shown(
        models, read.scope(of: criteria), overlay: overlay, outbox: outbox, patience: patience)
      if let shown { entry.count = shown.count }
      return shown
    } catch {
      entry.error = Task.isCancelled ? Cancellation.error() : error
      return nil
    }
  }

  /// Returns the answer with the unsent changes applied; it may ask the remote for further models.
  private func shown(
    _ models: [Model], _ criteria: Criteria, overlay: UnsentOverlay<Model>,
    outbox: any OutboxStore<Model>, patience: Patience?
  ) async throws -> [Model]? {
    var (answer, asked, wider) = (models, criteria.limit, criteria)
    while true {
      let shown = try await outbox.look(isShort: false) { [answer, asked] transaction in
        try overlay.shown(answer, asked: asked, in: transaction)
      }
      guard let shown else {
        return wider == criteria ? nil : Array(answer.prefix(criteria.limit ?? 0))
      }
      guard shown.missing > 0, let limit = criteria.limit else { return shown.models }
      let more = criteria.limit(limit.addingClamped(shown.missing))
      wider = more
      guard more.limit != asked,
        let found = try? await askAgain(patience, { try await $0.find(more).value })
      else { return shown.models }
      (answer, asked) = (found, more.limit)
    }
  }

  private func count(
    _ count: Int, _ read: any ReadAction.Type, overlay: UnsentOverlay<Model>,
    outbox: any OutboxStore<Model>, patience: Patience?
  ) async throws -> Int {
    let (total, isLess) = try await outbox.look(isShort: false) { transaction in
      let total = try overlay.count(count, in: transaction)
      return (total, total < count)
    }
    // A limited count does not say whether there are other models than the unsent ones.
    guard isLess, let criteria = operation.criteria,
      read.countsToOne || criteria.limit != nil
    else { return total }
    let all = try await askAgain(patience) {
      var criteria = criteria
      criteria.limit = nil
      return try await $0.count(criteria)
    }
    return try await outbox.look(isShort: false) { try overlay.count(all, in: $0) }
  }

  /// Asks the remote for the missing part of its answer, on the caller's actor.
  ///
  /// The closure has no capture list, because the compiler runs one that has it elsewhere.
  private func askAgain<Value: Sendable>(
    _ patience: Patience?,
    _ ask: @escaping @Sendable (any Repository<Model>) async throws -> Value
  ) async throws -> Value {
    guard let remote = wiring.remote else {
      throw EvocationError.missingRepository(.remote, model: proxy.model)
    }
    guard let patience else { return try await ask(remote) }
    let time = proxy.environment.time
    let late = EvocationError.timedOut(.remote, model: proxy.model, after: patience.timeout)
    let race = Race(
      time: time, limit: patience.end.subtracting(time.now()), late: late,
      executor: start?.another())
    return try await race.value { try await ask(remote) }
  }
}

/// How long the call waits for the remote, however often it asks.
private struct Patience {
  let timeout: Duration
  let end: Duration
}
