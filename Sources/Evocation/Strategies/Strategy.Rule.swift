extension Strategy {
  /// What happens for one action.
  public struct Rule: Sendable, Hashable {
    /// The repository that is asked first.
    public var target: Evocation.RepositoryType

    /// The repository that is asked when the target fails; nil for none.
    public var fallback: Evocation.RepositoryType?

    /// How the other repository is synchronized after the target succeeded.
    public var synchronize: Synchronization

    /// On which failures the fallback is asked, and whether a read's empty answer counts as one.
    public var fallsBack: FallbackCondition

    /// How long the target may take, retries included, before it counts as failed; nil for any
    /// time.
    ///
    /// The target is then cancelled, unless ``keepsLate`` has its answer kept. One that ignores
    /// cancellation may still finish a write later.
    public var timeout: Duration?

    /// Whether what the remote answers to a read after the `timeout` is saved, for later and for those who
    /// observe.
    ///
    /// It is waited for a minute at most. Where the local fallback has nothing, the call goes on waiting
    /// for it, for as long again as the timeout. It has no effect without a `timeout`, on writes, nor on
    /// reads that do not synchronize local.
    public var keepsLate: Bool

    /// How often and when the target is asked again after a failure; nil for once.
    public var retry: Retry?

    /// For how long after a fetch the local repository answers reads in place of the remote.
    ///
    /// Counted from the last successful fetch for the same criteria, by a read or by a cache, as
    /// the ledger records it; nil for never. It has no effect on writes.
    public var maxAge: Duration?

    /// Whether local answers a read even when it is older than `maxAge`, and is then refreshed.
    ///
    /// The refresh runs in the background. If local has nothing, the target is asked instead.
    public var revalidates: Bool

    /// Whether equal reads of the remote that are under way at the same time are one request.
    ///
    /// Each caller's cancellation concerns that caller alone. Where a repository answers by a task-local
    /// value, switch it off, or give ``Evocation/Configuration/joinKey``. It has no effect on writes, nor
    /// on reads whose target is local.
    public var joins: Joining

    /// Whether a write that the remote refuses for good is undone in local, where it was made first.
    ///
    /// The call then fails with the refusal. Failures that may pass, and a refused authorization, undo
    /// nothing. It has no effect on reads.
    public var rollsBack: Bool

    /// Which writes wait for each other.
    public var lanes: Lanes

    /// Makes a rule; by default the remote alone is asked, and local is synchronized.
    public init(
      target: Evocation.RepositoryType = .remote,
      fallback: Evocation.RepositoryType? = nil,
      synchronize: Synchronization = true,
      fallsBack: FallbackCondition = .onError,
      timeout: Duration? = nil,
      retry: Retry? = nil,
      maxAge: Duration? = nil,
      revalidates: Bool = false,
      joins: Joining = true,
      rollsBack: Bool = false,
      lanes: Lanes = .model,
      keepsLate: Bool = true
    ) {
      self.target = target
      self.fallback = fallback
      self.synchronize = synchronize
      self.fallsBack = fallsBack
      self.timeout = timeout
      self.retry = retry
      self.maxAge = maxAge
      self.revalidates = revalidates
      self.joins = joins
      self.rollsBack = rollsBack
      self.lanes = lanes
      self.keepsLate = keepsLate
    }
  }

  /// Which writes of a model type are applied one at a time, in the order of the calls.
  public enum Lanes: String, Sendable, Hashable, Codable, CaseIterable {
    /// All of them.
    case model
    /// Those on the same instances; writes on others go side by side with them.
    ///
    /// Instances are told apart by the ids that the call was given. A write by a rule with ``model``,
    /// one of a model that is not `Identifiable`, and what was fetched, wait for all before them, and all
    /// behind them wait for them. Give it to every rule for writes, so that none of them does.
    case instance
  }

  /// When the fallback is asked.
  ///
  /// A call that is cancelled never falls back, and neither does one that cannot be carried out as it
  /// is configured, such as one whose target is not registered.
  public enum FallbackCondition: String, Sendable, Hashable, Codable, CaseIterable {
    /// When the target failed.
    case onError
    /// When the target failed, or gave nothing to a read.
    case onErrorOrEmpty
    /// When the target failed in a way that may pass: no connection, a timeout, an overloaded service.
    ///
    /// Any other failure is answered as it is: a refusal, a conflict, criteria that the service cannot
    /// say. The errors' ``ClassifiedError/failureKind`` says which is which.
    case onTransientError
  }
}

extension Strategy {
  /// How the target's counterpart is synchronized; `true` is ``upsert`` and `false` is ``off``.
  public enum Synchronization: String, Sendable, Hashable, CaseIterable {
    /// The counterpart is not changed.
    case off
    /// The counterpart stores or updates what the target answered, or removes what it removed.
    case upsert
    /// As ``upsert``; after a read, local also removes the models for its criteria that are not in it.
    case mirror
    /// A write waits in local, beside the models, until the remote has taken it; see ``Outbox``.
    ///
    /// It is answered once local has it. It survives a restart where local does, as on SQLite.
    case outbox
  }
}

extension Strategy {
  /// Whether equal reads are one request; `true` is ``on`` and `false` is ``off``.
  public enum Joining: String, Sendable, Hashable, CaseIterable {
    /// Each read is a request of its own.
    case off
    /// A read takes the result of an equal one that is under way.
    case on
  }
}

extension Strategy.Joining: ExpressibleByBooleanLiteral {
  /// Makes ``on`` of `true` and ``off`` of `false`.
  public init(booleanLiteral value: Bool) {
    self = value ? .on : .off
  }
}

extension Strategy.Synchronization: ExpressibleByBooleanLiteral {
  /// Makes ``upsert`` of `true` and ``off`` of `false`.
  public init(booleanLiteral value: Bool) {
    self = value ? .upsert : .off
  }
}

extension Strategy.Rule {
  /// Why the rule does not fit the action, as the end of a sentence; nil when it does.
  func misfit(for action: Strategy.Action) -> String? {
    routingMisfit ?? synchronizationMisfit(for: action) ?? timingMisfit(for: action)
      ?? undoingMisfit(for: action)
  }

  private var routingMisfit: String? {
    guard fallback == target else { return nil }
    return "its fallback is its target; use the second repository, or no fallback"
  }

  private func synchronizationMisfit(for action: Strategy.Action) -> String? {
    switch synchronize {
    case .off, .upsert:
      nil
    case .mirror where !action.isRead:
      "mirror is for reads; use true or false"
    case .mirror where target == .local:
      "mirror with a local target would delete on the server; make remote the target"
    case .mirror:
      nil
    case .outbox where action.isRead:
      "outbox is for writes; use true, false or mirror"
    case .outbox where target == .remote:
      "outbox sends what the local store saved first; make local the target"
    case .outbox:
      nil
    }
  }

  private func undoingMisfit(for action: Strategy.Action) -> String? {
    guard rollsBack, !action.isRead, target == .remote || synchronize != .upsert else { return nil }
    return "rollsBack undoes local writes that the server refused; make local the target, and "
      + "synchronize with true"
  }

  private func timingMisfit(for action: Strategy.Action) -> String? {
    if let timeout, timeout <= .zero { return "its timeout is not positive" }
    if let maxAge, maxAge < .zero { return "its maxAge is negative" }
    if let reason = retry?.misfit { return reason }
    guard action.isRead else { return nil }
    if maxAge != nil, target == .local {
      return
        "maxAge says how long local data may replace a request to the server; make remote the "
        + "target"
    }
    if maxAge != nil, synchronize == .off {
      return "maxAge needs fetched data in the local store; synchronize"
    }
    if revalidates, maxAge == nil { return "revalidates needs a maxAge; set one" }
    return nil
  }
}

extension Strategy.Retry {
  fileprivate var misfit: String? {
    if attempts < 1 { return "its retry has fewer than one attempt" }
    if delay < .zero || maximumDelay < .zero { return "its retry has a negative delay" }
    if !(multiplier >= 1) { return "its retry has a multiplier below 1" }
    if multiplier.isInfinite { return "its retry has an infinite multiplier" }
    if !(0...1).contains(jitter) { return "its retry has a jitter outside 0...1" }
    return nil
  }
}
