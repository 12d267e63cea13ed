import Foundation
import Synchronization

/// The two repositories of a model type, and its strategy.
///
/// ```swift
/// Evocation.shared
///   .register(for: Car.self)
///   .repository(remote: CarService())
///   .repository(local: CarStore())
///   .strategy(.default())
/// ```
///
/// Each link of the chain takes effect immediately, for calls that begin after it. A running call
/// continues with the repositories and the strategy that it began with. Without a strategy, a model
/// type has ``Strategy/default()``, which can lose writes: ``validate()`` returns how.
public final class Proxy<Model: Sendable>: Sendable, PlainlyPrinted {
  package let model: String
  package let line: WriteSerializer
  package let log: WriteLog<Model>
  package let environment: Environment
  /// The beginning of the cache keys of its caches, lists and reads.
  package let tagPrefix: String
  package let joins = ReadJoins()
  /// The number of reads whose fetch was recorded.
  let reads = Lock(0)
  let hub = Lock<(wiring: Wiring<Model>, hub: ObservationHub<Model>)?>(nil)
  /// Why one of the properties that were declared to be of this device is none; nil if all are.
  let unknownLocalKey = Lock<EvocationError?>(nil)
  /// The declarations for the outbox about the model type.
  package let outboxLink: OutboxLink<Model>
  /// Whether it was registered, so that others depend on it.
  private let isRegistered = Atomic(false)
  private let state: Lock<Wiring<Model>>
  /// Whether the log has the notice that no strategy was set.
  private let isMissingNoted = Atomic(false)
  /// Whether the log has the notice that nothing follows the service.
  private let isUnfollowedNoted = Atomic(false)
  /// The local repository of the proxy before this one.
  private let former: LocalBinding<Model>?

  /// Creates a proxy that is not registered yet, with what is kept of earlier declarations.
  init(
    _ parts: Registry.Parts<Model>, _ environment: Environment,
    wiring: Wiring<Model> = Wiring(), keeping kept: OutboxLink<Model>.Kept
  ) {
    former = parts.former?.binding
    outboxLink = OutboxLink(parts.declared, keeping: kept)
    let localKeys = outboxLink.state.withLock { $0.localKeys }
    state = Lock(localKeys.isEmpty ? wiring : wiring.with(localKeys: localKeys))
    model = "\(Model.self)"
    tagPrefix = "\(stableName(of: Model.self))?"
    line = parts.line
    log = parts.log
    self.environment = environment
  }

  /// Makes it the proxy whose repositories count; the registry's lock is held.
  func becomePresent(at date: Date) {
    let owner = ObjectIdentifier(joins)
    isRegistered.store(true, ordering: .releasing)
    state.withLock { $0 = $0.registered(in: log, by: owner, isNew: true, at: date) }
  }

  /// Has each proxy with the declarations of this one do something about another type, now and when it is
  /// registered.
  package func declare(about other: Any.Type, _ body: @escaping @Sendable (Proxy) -> Void) {
    outboxLink.state.withLock { $0.declarations[ObjectIdentifier(other)] = body }
    if isRegistered.load(ordering: .acquiring) { body(self) }
  }

  package var wiring: Wiring<Model> {
    state.withLock { $0 }
  }

  /// Sets the remote repository.
  @discardableResult
  public func repository(remote: some Repository<Model>) -> Self {
    replace(remote: remote)
  }

  /// Sets the local repository.
  ///
  /// If your app was killed while it signed a user out, Evocation first finishes that, which blocks the
  /// thread. If it cannot, the log says so, and the repository is not set.
  @discardableResult
  public func repository(local: some Repository<Model>) -> Self {
    replace(local)
  }

  /// Sets a remote repository that calls completions.
  @discardableResult
  public func repository(remote: some CallbackRepository<Model>) -> Self {
    let adapter = CallbackAdapter(remote, type: .remote, model: model, environment.onAnyEvent)
    return replace(remote: adapter)
  }

  /// Sets a local repository that calls completions.
  @discardableResult
  public func repository(local: some CallbackRepository<Model>) -> Self {
    replace(CallbackAdapter(local, type: .local, model: model, environment.onAnyEvent))
  }

  /// Sets the strategy.
  ///
  /// If a rule needs something that no repository offers, each call of that rule fails, with the
  /// error of ``validate()``, and writes nothing.
  @discardableResult
  public func strategy(_ strategy: Strategy) -> Self {
    rewire { $0.with(strategy) }
  }

  /// Checks, when your app starts, whether every rule has the repositories that it needs.
  ///
  /// ``Evocation/register(_:remote:local:strategy:_:)-method``
  /// calls it for you. A local repository without transactions is no error: the notes of
  /// ``Strategy/explain()`` say what can go wrong with it.
  ///
  /// - Returns: A sentence for each way in which the strategy can lose a write or leave outdated
  ///   models behind, as in ``Strategy/explain()``, and for each read that asks the local store alone,
  ///   which does not know what the service's parameters find. If no strategy was set, the first
  ///   sentence names the strategies that lose no write.
  /// - Throws: ``StrategyError/invalidRule(_:_:reason:)`` for a rule that does not fit its action.
  ///   ``EvocationError/missingRepository(_:model:)`` or
  ///   ``EvocationError/outboxUnavailable(model:action:)`` for a rule without a repository.
  ///   ``EvocationError/openEnded(model:reason:)`` if the rule for `find` takes lists to be complete
  ///   that may be parts. ``EvocationError/circularDependency(models:)`` or
  ///   ``EvocationError/separateStores(model:other:)`` for declared references that the outbox
  ///   cannot follow.
  @discardableResult
  public func validate() throws -> [String] {
    let wiring = wiring
    try check(wiring)
    let warnings = wiring.strategy.explain().warnings + wiring.unansweredParameters
    return wiring.hasStrategy ? warnings : [missingStrategy] + warnings
  }

  private func check(_ wiring: Wiring<Model>) throws {
    if let error = unknownLocalKey.withLock({ $0 }) { throw error }
    try wiring.check(model)
    if wiring.strategy.usesOutbox,
      let refusal = outboxLink.state.withLock({ $0.refusal ?? $0.separation })
    {
      throw refusal
    }
  }

  /// Logs once that writes follow a strategy that the app did not choose, and can be lost.
  func warnOfMissingStrategy() {
    guard let log = environment.log else { return }
    guard !isMissingNoted.exchange(true, ordering: .relaxed) else { return }
    log.add { [missingStrategy] _ in .notice(missingStrategy) }
  }

  /// Logs once that nothing follows a service that sends its changes.
  func notifyUnfollowed() {
    guard let log = environment.log else { return }
    guard !isUnfollowedNoted.exchange(true, ordering: .relaxed) else { return }
    let text =
      "the service of \(model) sends its changes, and nothing follows them. Import EvocationLive and "
      + "call live.start() of this Evocation to have them saved while they are observed."
    log.add { _ in .notice(text) }
  }

  private var missingStrategy: String {
    "\(model) has no strategy, so .default() applies: a write that one repository refuses is kept in "
      + "the other alone, and Evocation never sends it later. Register \(model) with .offlineFirst, "
      + "which sends it later, or with .remoteFirst, under which it fails."
  }

  /// Records that a call was given a rule that queues writes.
  package func recordQueueingRule() {
    wiring.binding.usesOutbox.store(true, ordering: .relaxed)
    renew { $0.renewed }
  }

  /// Records that local gets versions, so that Evocation looks for the base of each write.
  package func recordVersions(_ versions: [VersionedModel<Model>]) {
    let wiring = wiring
    if wiring.binding.outbox != nil, !wiring.mayHaveUnsent, !versions.isEmpty {
      recordQueueingRule()
    }
  }

  /// Records models that were written to local without a call, for running fetches.
  package func recordWritten(_ models: [Model]) {
    log.record { written in _ = written.record(models) { .kept($0) } }
  }

  /// The local repository with its state, or that of the proxy before.
  package var binding: LocalBinding<Model>? {
    let wiring = wiring
    return wiring.hasLocal ? wiring.binding : former
  }

  /// Sets the remote repository; what it sends automatically is followed where something is observed.
  private func replace(remote: some Repository<Model>) -> Self {
    if let error = unknownLocalKey.withLock({ $0 }) { return replace(refusedRemote: error) }
    let localKeys = localKeys
    if !localKeys.isEmpty { remote.role((any SharedService).self)?.omit(localKeys) }
    return set(remote)
  }

  /// Sets a remote repository that fails each call.
  @discardableResult
  func replace(refusedRemote error: EvocationError) -> Self { set(RefusedRemote(error: error)) }

  private func set(_ remote: some Repository<Model>) -> Self { rewire { $0.with(remote: remote) } }

  /// Sets the local repository; caches of another store change to this one.
  private func replace(_ local: some Repository<Model>) -> Self {
    do {
      try environment.signOutRecovery.add(local)
    } catch {
      // It may have the models of another user.
      environment.log?.add { [model] showsValues in
        .notice(
          "Setting the local repository of \(model) failed: a sign-out that was cut short could not be "
            + "finished; start the app again when the cause is gone: "
            + LogText.of(error, showsValues: showsValues))
      }
      return self
    }
    let former = binding
    // Created before the lock is taken, because this calls the app's repository and its clock.
    let binding = LocalBinding(local, after: former, at: environment.date())
    return rewire { $0.with(local: local, binding) }
  }

  /// Changes the wiring, and tells what depends on it.
  func rewire(_ change: (Wiring<Model>) -> Wiring<Model>) -> Self {
    renew(change)
    if isRegistered.load(ordering: .acquiring) {
      environment.announce(Model.self, tagPrefix: tagPrefix)
    }
    return self
  }

  /// Changes the wiring in a way that concerns nobody but later calls.
  private func renew(_ change: (Wiring<Model>) -> Wiring<Model>) {
    let (owner, date) = (ObjectIdentifier(joins), environment.date())
    state.change { wiring in
      defer { wiring = change(wiring).registered(in: log, by: owner, isNew: false, at: date) }
      return wiring
    }
    hub.change { hub in
      defer { hub = nil }
      return hub
    }
    if isRegistered.load(ordering: .acquiring) { environment.outbox?.updateWiring(of: self) }
  }

  /// Tells what depends on a proxy that has just been registered.
  func announceRegistration() {
    let localKeys = wiring.localKeys
    if !localKeys.isEmpty { wiring.remote?.role((any SharedService).self)?.omit(localKeys) }
    for declaration in outboxLink.state.withLock({ $0.declarations }).values { declaration(self) }
    environment.outbox?.updateWiring(of: self)
    environment.announce(Model.self, tagPrefix: tagPrefix)
  }
}
