import Foundation
import Synchronization

/// The two repositories of a model type, and the strategy between them.
///
/// ```swift
/// Evocation.shared
///   .register(for: Car.self)
///   .repository(remote: CarService())
///   .repository(local: CarStore())
///   .strategy(.default())
/// ```
///
/// Each link of the chain takes effect at once, for calls that begin after it; a call that runs
/// goes on with what it began with. Without a strategy it is ``Strategy/default()``.
public final class Proxy<Model: Sendable>: Sendable {
  let model: String
  let line: WriteSerializer
  let log: WriteLog<Model>
  let environment: Environment
  /// What the tags of its caches, lists and reads begin with.
  let tagPrefix: String
  let joins = ReadJoins()
  let registry = Lock<CacheRegistry?>(nil)
  let tags = Lock<[Criteria: String]>([:])
  /// How many reads were stamped.
  let reads = Lock(0)
  let hub = Lock<(wiring: Wiring<Model>, hub: ObservationHub<Model>)?>(nil)
  /// What the outbox is told of the model type.
  let outboxLink = OutboxLink<Model>()
  private let state = Lock(Wiring<Model>())

  init(line: WriteSerializer, log: WriteLog<Model>, environment: Environment) {
    model = "\(Model.self)"
    tagPrefix = "\(String(reflecting: Model.self))?"
    self.line = line
    self.log = log
    self.environment = environment
  }

  var wiring: Wiring<Model> {
    state.withLock { $0 }
  }

  /// Sets the remote repository.
  @discardableResult
  public func repository(remote: some Repository<Model>) -> Self {
    rewire { $0.with(remote: remote) }
  }

  /// Sets the local repository.
  @discardableResult
  public func repository(local: some Repository<Model>) -> Self {
    let place = place(of: local)
    return rewire { $0.with(local: local, place) }
  }

  /// Sets a remote repository that answers by completion.
  @discardableResult
  public func repository(remote: some CallbackRepository<Model>) -> Self {
    let adapter = CallbackAdapter(remote, type: .remote, model: model, environment.onEvent)
    return rewire { $0.with(remote: adapter) }
  }

  /// Sets a local repository that answers by completion.
  @discardableResult
  public func repository(local: some CallbackRepository<Model>) -> Self {
    let adapter = CallbackAdapter(local, type: .local, model: model, environment.onEvent)
    let place = place(of: adapter)
    return rewire { $0.with(local: adapter, place) }
  }

  /// Sets the strategy.
  ///
  /// A rule that needs what no repository offers is refused call by call, with the sentence that
  /// ``validate()`` gives; nothing is written under it.
  @discardableResult
  public func strategy(_ strategy: Strategy) -> Self {
    rewire { $0.with(strategy) }
  }

  /// Finds out at an app's start whether every rule has the repositories that it needs.
  ///
  /// A local repository that takes a write only in steps is no error here: what that can cost is
  /// among the notes of ``Strategy/explain()``.
  ///
  /// - Throws: ``EvocationError/missingRepository(_:model:)`` or
  ///   ``EvocationError/outboxUnavailable(model:action:)`` for the first rule that has not.
  public func validate() throws(EvocationError) {
    let wiring = wiring
    if wiring.strategy.usesOutbox, let refusal = outboxLink.state.withLock({ $0.refusal }) {
      throw refusal
    }
    for action in Strategy.Action.allCases {
      let rule = wiring.strategy[action]
      if rule.synchronize == .outbox, wiring.hasLocal, wiring.place.outbox == nil {
        throw .outboxUnavailable(model: model, action: action)
      }
      let needed = [
        rule.target, rule.fallback, rule.synchronize == .off ? nil : rule.target.counterpart,
      ]
      for case let type? in needed where wiring[type] == nil {
        throw .missingRepository(type, model: model)
      }
    }
  }

  /// Notes that a call was given a rule by which writes are queued.
  func noteOutbox() {
    wiring.place.usesOutbox.store(true, ordering: .relaxed)
    _ = rewire { $0.with($0.strategy) }
  }

  /// Notes for running fetches what local has got past the calls.
  func noteWritten(_ models: [Model]) {
    log.note { written in _ = written.note(models) { .kept($0) } }
  }

  /// What belongs to a repository that is set now; made before the lock is taken, because the app's
  /// repository and its clock are asked.
  private func place(of local: any Repository<Model>) -> LocalPlace<Model> {
    LocalPlace(local, replacedAt: wiring.hasLocal ? environment.date() : nil)
  }

  private func rewire(_ change: (Wiring<Model>) -> Wiring<Model>) -> Self {
    // What is replaced is released after the lock, because that may run the app's code.
    let old = state.withLock { wiring in
      defer { wiring = change(wiring) }
      return wiring
    }
    let oldHub = hub.withLock { hub in
      defer { hub = nil }
      return hub
    }
    withExtendedLifetime((old, oldHub)) {}
    environment.outbox?.noteWiring(of: self)
    return self
  }
}

/// What a proxy is made of at one moment: the two repositories and the strategy.
///
/// It never changes, so calls share it; a proxy that changes gets another.
final class Wiring<Model: Sendable>: Sendable {
  let remote: (any Repository<Model>)?
  let local: (any Repository<Model>)?
  let strategy: Strategy
  let hasRemote: Bool
  let hasLocal: Bool
  /// The remote repository, where it may list what changed.
  let lister: (any ChangesRepository<Model>)?
  /// Whether writes may be unsent, so that what the remote says is looked through for them.
  let mayHaveUnsent: Bool
  /// What belongs to the local repository, and goes with it.
  let place: LocalPlace<Model>

  init(
    remote: (any Repository<Model>)? = nil,
    local: (any Repository<Model>)? = nil,
    strategy: Strategy = .default(),
    place: LocalPlace<Model> = LocalPlace(nil)
  ) {
    self.remote = remote
    self.local = local
    self.strategy = strategy
    lister = remote as? any ChangesRepository<Model>
    hasRemote = remote != nil
    hasLocal = local != nil
    mayHaveUnsent =
      place.outbox != nil && (strategy.usesOutbox || place.usesOutbox.load(ordering: .relaxed))
    self.place = place
  }

  var lists: ListWindows<Model> { place.lists }

  subscript(type: Evocation.RepositoryType) -> (any Repository<Model>)? {
    type == .remote ? remote : local
  }

  func with(remote: some Repository<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy, place: place)
  }

  func with(local: some Repository<Model>, _ place: LocalPlace<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy, place: place)
  }

  func with(_ strategy: Strategy) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy, place: place)
  }
}

/// What is kept with a local repository: its lists, and since when it has been in place.
final class LocalPlace<Model: Sendable>: Sendable {
  /// The same repository, where it takes a write whole.
  let transactional: (any TransactionalRepository<Model>)?
  /// The same repository, where its commits may carry entries of the outbox.
  let outbox: (any OutboxRepository<Model>)?
  /// Where its entries are kept.
  let queued: Evocation.Metadata.Queued
  /// Whether writes are queued, or were before, though no rule of the strategy says so.
  let usesOutbox: Atomic<Bool>
  let lists = ListWindows<Model>()
  /// By tag the marks of what was saved in it, where it has no ledger of its own.
  private let marks = Lock<[ByteText: String]>([:])
  /// What is known of what was fetched into it; the registry is kept, because it tells of changes.
  let fetches = Lock<(registry: CacheRegistry, known: KnownFetches)?>(nil)
  /// When it took the place of another; what was fetched before is not in it.
  let replacedAt: Date?

  init(_ local: (any Repository<Model>)?, replacedAt: Date? = nil) {
    transactional = local as? any TransactionalRepository<Model>
    outbox = local as? any OutboxRepository<Model>
    queued = outbox?.keepsEntries == true ? .durably : .inMemory
    usesOutbox = Atomic(outbox?.heldEntries ?? false)
    self.replacedAt = replacedAt
  }

  /// Whether a mark in the ledger says what this repository has: nil where that is not known.
  ///
  /// A ledger apart may have outlived what another repository held when the mark was written.
  func trusted(_ mark: String, of tag: String) -> String? {
    if transactional?.fetchLedger != nil { return mark }
    return marks.withLock { $0[ByteText(tag)] } == mark ? mark : nil
  }

  /// Forgets the lists in memory, and what was saved.
  func forget() {
    marks.withLock { $0 = [:] }
    lists.forgetLists()
  }

  /// Remembers the mark of what was saved.
  func keep(_ mark: String?, of tag: String) {
    if transactional?.fetchLedger == nil { marks.withLock { $0[ByteText(tag)] = mark } }
  }
}
