internal import Foundation
import Synchronization

/// The two repositories and the strategy of a proxy at one time.
///
/// It never changes, so that calls share it. A proxy that changes gets another one.
package final class Wiring<Model: Sendable>: Sendable {
  package let remote: (any Repository<Model>)?
  package let local: (any Repository<Model>)?
  package let strategy: Strategy
  /// Whether a strategy was set, so that the default of Evocation 1.0 does not apply.
  package let hasStrategy: Bool
  /// The first rule that does not fit its action; nil if all fit.
  let misfit: StrategyError?
  package let hasRemote: Bool
  package let hasLocal: Bool
  /// The local repository, if it answers calls on one model without suspending; nil if a rule of the
  /// strategy does not fit its action.
  let prompt: (any PromptRepository<Model>)?
  /// The remote repository, if it may list changes.
  let lister: (any ChangesRepository<Model>)?
  /// Why the remote repository's lists may be incomplete; nil if they are complete.
  let openEnd: String?
  /// The parameters of the remote repository's service, which are no properties.
  package let parameters: Set<Criteria.Key>
  /// Whether there may be unsent writes, so that Evocation applies them to the remote's answers.
  package let mayHaveUnsent: Bool
  /// The state of the local repository, which is replaced with it.
  package let binding: LocalBinding<Model>
  /// The coding keys of this device alone.
  package let localKeys: Set<String>
  /// The registration of the remote repository's service.
  package let registration: Registration
  /// What the next results say of refreshes for which no call waited.
  package let failedRefreshes = FailedRefreshes()
  private let service: ServiceIdentity?

  init(
    remote: (any Repository<Model>)? = nil,
    local: (any Repository<Model>)? = nil,
    strategy given: Strategy? = nil,
    binding: LocalBinding<Model> = LocalBinding(nil),
    localKeys: Set<String> = [],
    service: ServiceIdentity? = nil,
    registration: Registration = Registration()
  ) {
    self.remote = remote
    self.registration = registration
    self.service = service ?? remote.map { ServiceIdentity($0) }
    self.localKeys = localKeys
    self.local = local
    let strategy = given ?? .default()
    self.strategy = strategy
    hasStrategy = given != nil
    misfit = strategy.misfit
    prompt = misfit == nil ? local?.role() : nil
    lister = remote?.role()
    openEnd = remote?.role((any OpenEndedRepository<Model>).self)?.openEnd
    parameters = remote?.role((any ParameterRepository<Model>).self)?.parameters ?? []
    hasRemote = remote != nil
    hasLocal = local != nil
    mayHaveUnsent =
      binding.outbox != nil && (strategy.usesOutbox || binding.usesOutbox.load(ordering: .relaxed))
    self.binding = binding
  }

  package var lists: ListWindows<Model> { binding.lists }

  /// Whether reads leave in local nothing else that matches, unless their rule says otherwise.
  var mirrors: Bool { strategy[.find].synchronize == .mirror }

  /// Checks that every rule fits its action and has the repositories that it needs.
  func check(_ model: String) throws {
    if let misfit { throw misfit }
    try checkEnd(Criteria(), strategy[.find], of: model)
    for action in Strategy.Action.allCases {
      let rule = strategy[action]
      if rule.synchronize == .outbox, hasLocal, binding.outbox == nil {
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

  /// A sentence for each rule under which no repository knows what the service's parameters find.
  var unansweredParameters: [String] {
    let names = parameters.map { "\"\($0.name)\"" }.sorted().joined(separator: ", ")
    guard !names.isEmpty else { return [] }
    return [Strategy.Action.find, .findOne].compactMap { action in
      let rule = strategy[action]
      guard rule.target == .local, rule.fallback != .remote else { return nil }
      return
        "`\(action.rawValue)` asks the local store alone, and only the service knows what \(names) "
        + "finds. Give its rule the fallback .remote, or such a call a rule that asks the remote."
    }
  }

  /// Checks that the answer of a read is complete, if the rule takes it to be.
  ///
  /// Nil stands for a rule that does.
  package func checkEnd(
    _ criteria: Criteria, _ rule: Strategy.Rule?, of model: String
  ) throws(EvocationError) {
    guard let openEnd, criteria.limit == nil else { return }
    guard rule.map({ $0.synchronize == .mirror || $0.maxAge != nil }) ?? true else { return }
    throw .openEnded(model: model, reason: openEnd)
  }

  subscript(type: Evocation.RepositoryType) -> (any Repository<Model>)? {
    type == .remote ? remote : local
  }

  func with(remote: some Repository<Model>) -> Wiring { copy(remote: remote) }

  func with(local: some Repository<Model>, _ binding: LocalBinding<Model>) -> Wiring {
    copy(local: local, binding: binding)
  }

  func with(localKeys: Set<String>) -> Wiring { copy(localKeys: localKeys) }

  func with(_ strategy: Strategy) -> Wiring { copy(strategy: strategy) }

  /// The same, created again, because a fact that it depends on has changed.
  var renewed: Wiring { copy() }

  /// The same with its registration, as a log that outlives proxies knows it.
  func registered(
    in log: WriteLog<Model>, by owner: ObjectIdentifier, isNew: Bool, at date: Date
  ) -> Wiring {
    copy(
      registration: log.register(
        service, in: hasLocal ? binding.store : nil, by: owner, isNew: isNew, at: date))
  }

  /// Returns a ledger's record as what it says of this registration.
  ///
  /// It is nil if local does not have the models of the record. If another service answered, it is stale,
  /// and its change token says nothing to this one.
  package func known(_ record: FetchRecord?, of tag: String) -> FetchRecord? {
    guard var record, binding.holds(record) else { return nil }
    guard registration.isForeign(record, of: tag), !record.isCleared else { return record }
    record.isInvalidated = true
    record.mark = nil
    return record
  }

  private func copy(
    remote: (any Repository<Model>)? = nil, local: (any Repository<Model>)? = nil,
    strategy: Strategy? = nil, binding: LocalBinding<Model>? = nil, localKeys: Set<String>? = nil,
    registration: Registration? = nil
  ) -> Wiring {
    Wiring(
      remote: remote ?? self.remote, local: local ?? self.local,
      strategy: strategy ?? (hasStrategy ? self.strategy : nil), binding: binding ?? self.binding,
      localKeys: localKeys ?? self.localKeys, service: remote == nil ? service : nil,
      registration: registration ?? self.registration)
  }
}
