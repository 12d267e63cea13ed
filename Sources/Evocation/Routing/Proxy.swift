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
/// Each link of the chain takes effect immediately, for calls that begin after it; a running call
/// continues with what it began with. Without a strategy it is ``Strategy/default()``, which can
/// lose writes: ``validate()`` returns how.
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
  private let state: Lock<Wiring<Model>>
  /// Whether the log said that no strategy was set.
  private let isMissingNoted = Atomic(false)
  /// Where the local repository of the proxy before this one was.
  private let former: LocalPlace<Model>?

  init(
    line: WriteSerializer, log: WriteLog<Model>, environment: Environment,
    after former: LocalPlace<Model>? = nil, wiring: Wiring<Model> = Wiring()
  ) {
    self.former = former
    state = Lock(wiring)
    model = "\(Model.self)"
    tagPrefix = "\(stableName(of: Model.self))?"
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
    replace(local)
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
    replace(CallbackAdapter(local, type: .local, model: model, environment.onEvent))
  }

  /// Sets the strategy.
  ///
  /// A rule that needs what no repository offers is refused call by call, with the sentence that
  /// ``validate()`` gives; nothing is written under it.
  @discardableResult
  public func strategy(_ strategy: Strategy) -> Self {
    rewire { $0.with(strategy) }
  }

  /// Checks, when your app starts, whether every rule has the repositories that it needs.
  ///
  /// ``Evocation/register(_:remote:local:strategy:)-(_,Repository<Model>,Repository<Model>,_)`` does
  /// so itself. A local repository that takes a write only in steps is no error: the notes of
  /// ``Strategy/explain()`` say what that can cost.
  ///
  /// - Returns: A sentence for each way in which the strategy can lose a write or leave outdated
  ///   models behind, as ``Strategy/explain()`` has them, and first, where no strategy was set, one
  ///   that names the strategies that lose none.
  /// - Throws: ``StrategyError/invalidRule(_:_:reason:)`` for a rule that does not fit its action,
  ///   ``EvocationError/missingRepository(_:model:)`` or
  ///   ``EvocationError/outboxUnavailable(model:action:)`` for a rule without a repository, and
  ///   ``EvocationError/openEnded(model:reason:)`` where the rule for find takes lists to be whole.
  @discardableResult
  public func validate() throws -> [String] {
    let wiring = wiring
    try check(wiring)
    let warnings = wiring.strategy.explain().warnings
    return wiring.hasStrategy ? warnings : [missingStrategy] + warnings
  }

  private func check(_ wiring: Wiring<Model>) throws {
    try wiring.check(model)
    if wiring.strategy.usesOutbox,
      let refusal = outboxLink.state.withLock({ $0.refusal ?? $0.separation })
    {
      throw refusal
    }
  }

  /// Says once in the log that writes go by a strategy that nobody chose, and can be lost.
  func noteMissingStrategy() {
    guard let log = environment.log else { return }
    guard !isMissingNoted.exchange(true, ordering: .relaxed) else { return }
    log.add { [missingStrategy] _ in .notice(missingStrategy) }
  }

  private var missingStrategy: String {
    "\(model) has no strategy, so .default() applies: a write that one repository refuses is kept in "
      + "the other alone, and Evocation never sends it later. Register \(model) with .offlineFirst, "
      + "which sends it later, or with .remoteFirst, under which it fails."
  }

  /// Notes that a call was given a rule by which writes are queued.
  func noteOutbox() {
    wiring.place.usesOutbox.store(true, ordering: .relaxed)
    _ = rewire { $0.renewed }
  }

  /// Notes that local is given versions, so that writes are looked through for what they are made on.
  func noteVersions(_ versions: [VersionedModel<Model>]) {
    let wiring = wiring
    if !versions.isEmpty, wiring.place.outbox != nil, !wiring.mayHaveUnsent { noteOutbox() }
  }

  /// Notes for running fetches what local has got past the calls.
  func noteWritten(_ models: [Model]) {
    log.note { written in _ = written.note(models) { .kept($0) } }
  }

  /// Where the local repository is, or was in the proxy before.
  var place: LocalPlace<Model>? {
    let wiring = wiring
    return wiring.hasLocal ? wiring.place : former
  }

  /// Sets the local repository; caches of another store go over to this one.
  private func replace(_ local: some Repository<Model>) -> Self {
    let former = place
    // Made before the lock is taken, because the app's repository and its clock are asked.
    let place = LocalPlace(local, after: former, at: environment.date())
    _ = rewire { $0.with(local: local, place) }
    noteReplaced(former)
    return self
  }

  /// Has the caches of the store before this one go over to this one.
  private func noteReplaced(_ former: LocalPlace<Model>?) {
    guard former?.store != place?.store else { return }
    let ledger = former?.transactional?.fetchLedger ?? environment.ledger
    CacheRegistry.of(ledger).replaceStores(prefix: tagPrefix)
  }

  /// Tells the caches and the outbox of a proxy that was made with its repositories.
  func noteRegistered() {
    if wiring.hasLocal { noteReplaced(former) }
    environment.outbox?.noteWiring(of: self)
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
  /// Whether a strategy was set, and the default of Evocation 1.0 does not apply.
  let hasStrategy: Bool
  /// The first rule that does not fit its action; nil where all do.
  let misfit: StrategyError?
  let hasRemote: Bool
  let hasLocal: Bool
  /// The remote repository, where it may list what changed.
  let lister: (any ChangesRepository<Model>)?
  /// Why the remote repository's lists may be parts of what there is; nil where they are whole.
  let openEnd: String?
  /// Whether writes may be unsent, so that what the remote says is looked through for them.
  let mayHaveUnsent: Bool
  /// What belongs to the local repository, and goes with it.
  let place: LocalPlace<Model>

  init(
    remote: (any Repository<Model>)? = nil,
    local: (any Repository<Model>)? = nil,
    strategy given: Strategy? = nil,
    place: LocalPlace<Model> = LocalPlace(nil)
  ) {
    self.remote = remote
    self.local = local
    let strategy = given ?? .default()
    self.strategy = strategy
    hasStrategy = given != nil
    misfit = strategy.misfit
    lister = remote as? any ChangesRepository<Model>
    openEnd = (remote as? any OpenEndedRepository<Model>)?.openEnd
    hasRemote = remote != nil
    hasLocal = local != nil
    mayHaveUnsent =
      place.outbox != nil && (strategy.usesOutbox || place.usesOutbox.load(ordering: .relaxed))
    self.place = place
  }

  var lists: ListWindows<Model> { place.lists }

  /// Checks that every rule fits its action and has the repositories that it needs.
  func check(_ model: String) throws {
    if let misfit { throw misfit }
    try checkEnd(Criteria(), strategy[.find], of: model)
    for action in Strategy.Action.allCases {
      let rule = strategy[action]
      if rule.synchronize == .outbox, hasLocal, place.outbox == nil {
        throw EvocationError.outboxUnavailable(model: model, action: action)
      }
      let needed = [
        rule.target, rule.fallback, rule.synchronize == .off ? nil : rule.target.counterpart,
      ]
      for case let type? in needed where self[type] == nil {
        throw EvocationError.missingRepository(type, model: model)
      }
    }
  }

  /// Checks that what a read answers may be taken for all that there is, where its rule does; nil for a
  /// rule that does.
  func checkEnd(
    _ criteria: Criteria, _ rule: Strategy.Rule?, of model: String
  ) throws(EvocationError) {
    guard let openEnd, criteria.limit == nil else { return }
    guard rule.map({ $0.synchronize == .mirror || $0.maxAge != nil }) ?? true else { return }
    throw .openEnded(model: model, reason: openEnd)
  }

  subscript(type: Evocation.RepositoryType) -> (any Repository<Model>)? {
    type == .remote ? remote : local
  }

  func with(remote: some Repository<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: set, place: place)
  }

  func with(local: some Repository<Model>, _ place: LocalPlace<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: set, place: place)
  }

  /// The strategy that was set; nil for none.
  private var set: Strategy? { hasStrategy ? strategy : nil }

  /// The same, made again: what it depends on has changed.
  var renewed: Wiring { Wiring(remote: remote, local: local, strategy: set, place: place) }

  func with(_ strategy: Strategy) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy, place: place)
  }
}
