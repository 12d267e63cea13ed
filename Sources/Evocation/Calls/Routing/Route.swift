/// The next step of a call: the rule's logic as a value that knows no repository, task or clock.
///
/// Begin with ``begin()``, do what the step says, and pass the outcome to ``advance(_:)``, until
/// the step is an end. All calls and ``Strategy/explain()`` use it.
struct Route {
  /// The facts that are known before the call.
  struct Situation: Hashable {
    /// The action, which may be a read or a removal.
    var action: Strategy.Action
    /// Whether each repository is registered.
    var hasRemote = true
    var hasLocal = true
    /// Whether the local repository has an outbox.
    var hasOutbox = false
    /// Whether local was fetched recently enough for the rule's `maxAge`.
    var isFresh = false
    /// Whether the call has no models to write.
    var hasNothingToDo = false
    /// Whether the call answers with models, and not only with their number.
    var givesModels = true
    /// Whether the call reads a part of the models that match, which only the target can choose.
    var isPart = false
    /// Whether there may be unsent writes.
    var mayHaveUnsent = false
    /// Whether the remote may list changes.
    var listsChanges = false

    func has(_ type: Evocation.RepositoryType) -> Bool {
      type == .remote ? hasRemote : hasLocal
    }
  }

  /// How a repository answered.
  enum Outcome: Hashable, CaseIterable {
    case models
    case empty
    /// Local has nothing, and no fetch of the criteria is known: nobody knows what the remote has.
    case unknown
    /// A failure that may pass.
    case failure
    /// A failure that another attempt does not fix.
    case refusal
    case cancelled

    fileprivate var isFailure: Bool { self == .failure || self == .refusal }

    /// Whether it is an answer without models.
    fileprivate var isEmpty: Bool { self == .empty || self == .unknown }
  }

  /// What belongs to asking a repository, in the order in which it is done.
  struct Phases: OptionSet, Hashable {
    let rawValue: UInt8

    /// Log the app's writes from here on, which saving the answer must not overwrite.
    static let mark = Phases(rawValue: 1)
    /// Look up when the local data were fetched.
    static let dates = Phases(rawValue: 2)
    /// Keep the models that the write changes, to undo it.
    static let former = Phases(rawValue: 4)
    /// Ask for the changes since the last fetch, if the remote lists them for the criteria.
    static let changes = Phases(rawValue: 8)
    /// Send along what the server had when local last heard of it, and its version.
    static let base = Phases(rawValue: 16)
    /// Queue the write for the remote in the same transaction.
    static let queue = Phases(rawValue: 32)
    /// Apply the unsent writes to the answer.
    static let overlay = Phases(rawValue: 64)
  }

  /// What to do next.
  enum Step: Hashable {
    case ask(Evocation.RepositoryType, Evocation.Metadata.Role, Phases)
    case synchronize(Evocation.RepositoryType)
    /// The target undoes its write.
    case rollBack(Evocation.RepositoryType)
    case end(Verdict)
  }

  private let rule: Strategy.Rule
  private let situation: Situation
  private var asked: Evocation.Metadata.Role?
  private var cacheOutcome: Outcome?
  private var targetOutcome: Outcome?
  /// The fallback that the call would have asked, if it were registered.
  private(set) var missingFallback: Evocation.RepositoryType?
  /// Whether the fallback was asked, and has nothing.
  private(set) var isFallbackEmpty = false

  init(_ rule: Strategy.Rule, _ situation: Situation) {
    self.rule = rule
    self.situation = situation
  }

  /// Returns the first step.
  mutating func begin() -> Step {
    if rule.synchronize == .outbox, !situation.hasOutbox { return .end(.failed(.noOutbox)) }
    guard situation.has(rule.target) else { return .end(.failed(.missing(rule.target))) }
    if situation.hasNothingToDo { return .end(Verdict(origin: rule.target)) }
    return cacheMayAnswer ? ask(.local, .cache) : ask(rule.target, .target)
  }

  /// Returns the step after this outcome of the last one.
  mutating func advance(_ outcome: Outcome) -> Step {
    // If a write is canceled during synchronization, the target has already executed it.
    if outcome == .cancelled,
      situation.action.isRead || asked != .synchronization && asked != .rollback
    {
      return .end(.failed(.cancelled))
    }
    return switch asked {
    case .cache: afterCache(outcome)
    case .target: afterTarget(outcome)
    case .fallback: afterFallback(outcome)
    case .rollback: afterRollback(outcome)
    case .synchronization, nil: afterSynchronization(outcome)
    }
  }

  /// Returns the step after a late answer of the target, if the fallback had nothing.
  mutating func advanceLate(_ outcome: Outcome) -> Step {
    asked = .target
    return advance(outcome)
  }

  private var cacheMayAnswer: Bool {
    situation.action.isRead && rule.maxAge != nil && rule.target == .remote && situation.hasLocal
      && !situation.isPart && (situation.isFresh || revalidates)
  }

  /// Whether to refresh an old answer in the background, which a count of the remote would not do.
  private var revalidates: Bool { rule.revalidates && situation.givesModels }

  private mutating func ask(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role
  ) -> Step {
    asked = role
    return .ask(type, role, phases(type, role))
  }

  private func phases(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role
  ) -> Phases {
    let isUnsentApplied = type == .remote && situation.mayHaveUnsent
    var phases: Phases = []
    if situation.action.isRead {
      let isSaved = role == .target && rule.synchronize != .off && situation.givesModels
      if isSaved || isUnsentApplied { phases.insert(.mark) }
      if type == .local { phases.insert(.dates) }
      if isSaved, type == .remote, rule.synchronize == .mirror, situation.listsChanges {
        phases.insert(.changes)
      }
      if isUnsentApplied { phases.insert(.overlay) }
    } else {
      let isBased = situation.action.isUpdate && situation.hasOutbox
      let isCopied = isBased && type == .local && rule.synchronize == .upsert
      if role == .target, rule.rollsBack || isCopied { phases.insert(.former) }
      if type == .remote, isBased || isUnsentApplied && rule.synchronize != .off {
        phases.insert(.base)
      }
      if rule.synchronize == .outbox { phases.insert(.queue) }
    }
    return phases
  }

  private mutating func afterCache(_ outcome: Outcome) -> Step {
    cacheOutcome = outcome
    let isOfUse = outcome == .models || (outcome.isEmpty && situation.isFresh)
    guard isOfUse else { return ask(rule.target, .target) }
    return .end(Verdict(origin: .local, revalidates: !situation.isFresh))
  }

  private mutating func afterTarget(_ outcome: Outcome) -> Step {
    targetOutcome = outcome
    if fallsBack(on: outcome), let fallback = rule.fallback {
      // If local was asked first for its freshness, its answer is already known.
      if situation.has(fallback) {
        guard let cacheOutcome else { return ask(fallback, .fallback) }
        return afterFallback(cacheOutcome)
      }
      missingFallback = fallback
    }
    guard !outcome.isFailure else { return .end(.failed(.of(rule.target))) }
    guard synchronizes(outcome) else { return .end(Verdict(origin: rule.target)) }
    let counterpart = rule.target.counterpart
    guard situation.has(counterpart) else {
      return .end(Verdict(origin: rule.target, error: .missing(counterpart)))
    }
    asked = .synchronization
    return .synchronize(counterpart)
  }

  private func fallsBack(on outcome: Outcome) -> Bool {
    switch rule.fallsBack {
    case .onError: outcome.isFailure
    case .onErrorOrEmpty: outcome.isFailure || outcome.isEmpty && situation.action.isRead
    case .onTransientError: outcome == .failure
    }
  }

  private func synchronizes(_ outcome: Outcome) -> Bool {
    guard situation.givesModels else { return false }
    return switch rule.synchronize {
    case .off, .outbox: false
    case .upsert: outcome == .models
    case .mirror: outcome == .models || outcome.isEmpty
    }
  }

  /// Ends with the answer of the fallback, unless that failed or is none.
  ///
  /// A fallback that has nothing is an answer only if the remote once answered the criteria, now or
  /// in an earlier fetch. Otherwise nobody knows what the remote has, and the target's error says
  /// why.
  private mutating func afterFallback(_ outcome: Outcome) -> Step {
    let fallback = rule.target.counterpart
    let targetFailed = targetOutcome?.isFailure ?? false
    isFallbackEmpty = outcome.isEmpty
    if outcome == .unknown, targetFailed { return .end(.failed(.of(rule.target))) }
    guard outcome.isFailure else { return .end(Verdict(origin: fallback)) }
    return targetFailed
      ? .end(.failed(.of(fallback)))
      : .end(Verdict(origin: rule.target, error: .of(fallback)))
  }

  private mutating func afterSynchronization(_ outcome: Outcome) -> Step {
    if outcome == .refusal, rule.rollsBack, !situation.action.isRead {
      asked = .rollback
      return .rollBack(rule.target)
    }
    let followed = outcome == .models || outcome.isEmpty
    return .end(Verdict(origin: rule.target, didNotFollow: !followed))
  }

  /// A write that could not be undone remains, so the target has executed the action.
  private func afterRollback(_ outcome: Outcome) -> Step {
    outcome == .models || outcome.isEmpty
      ? .end(.failed(.of(rule.target.counterpart)))
      : .end(Verdict(origin: rule.target, didNotFollow: true))
  }
}

extension Route {
  /// How a call ends.
  struct Verdict: Hashable {
    /// The repository whose answer the call returns; nil if the action failed.
    var origin: Evocation.RepositoryType?
    /// The source of the result's error; nil if everything went as configured.
    var error: Fault?
    /// Whether syncing to the second repository failed.
    var didNotFollow = false
    /// Whether to ask the target after the call has returned.
    var revalidates = false

    static func failed(_ fault: Fault) -> Verdict {
      Verdict(origin: nil, error: fault)
    }
  }

  /// The source of an error.
  enum Fault: Hashable {
    /// The repository itself.
    case of(Evocation.RepositoryType)
    /// The repository is not registered.
    case missing(Evocation.RepositoryType)
    /// The local repository has no outbox.
    case noOutbox
    /// The call was canceled.
    case cancelled
  }
}
