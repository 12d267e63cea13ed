extension Strategy {
  /// The repositories that an action uses, and how.
  public struct Rule: Sendable, Hashable, PlainlyPrinted {
    /// The repository that Evocation asks first.
    public var target: Evocation.RepositoryType

    /// The repository that Evocation asks if the target fails; nil for none.
    ///
    /// If local has nothing for criteria that the remote never answered, a read fails with the
    /// target's error.
    public var fallback: Evocation.RepositoryType?

    /// How to keep the second repository up to date after the target succeeded.
    ///
    /// A ready-made rule such as ``remoteFirst`` says what a read does, and upserts after a write.
    public var synchronize: Synchronization {
      didSet { upsertsWrites = Uncompared(false) }
    }

    /// Whether the rule says what a read does, and is taken for an upsert after a write.
    private var upsertsWrites = Uncompared(false)

    /// After which failures to ask the fallback, and whether an empty answer to a read is one.
    public var fallsBack: FallbackCondition

    /// How long the target may take, with retries, before it counts as failed; nil for no limit.
    ///
    /// The remote's answer to a read that synchronizes local is saved behind the call's answer, and
    /// shown to observers. Evocation waits for it for a minute at most. If the local fallback has
    /// nothing, the call also waits for it, once more as long as the timeout. Evocation cancels any
    /// other target. One that ignores cancellation may still finish a write later.
    public var timeout: Duration?

    /// Whether no caller waits for the read, so that it waits for a late answer itself.
    package var isBehind = false

    /// How often and when to ask the target again after a failure; nil for never.
    public var retry: Retry?

    /// For how long after a fetch the local repository answers reads in place of the remote.
    ///
    /// It counts from the last successful fetch of the same criteria, by a read or a cache, as the
    /// ledger (the record of when each query was last fetched) has it. Nil means never. The field
    /// has no effect on writes.
    public var maxAge: Duration?

    /// Whether local answers a read even if it is older than `maxAge`, and is then refreshed.
    ///
    /// The refresh runs in the background. If local has nothing, Evocation asks the target instead.
    public var revalidates: Bool

    /// Whether equal concurrent reads of the remote are one request.
    ///
    /// The cancellation of one caller concerns that caller alone. If a repository's answer depends
    /// on a task-local value, turn this off, or set ``Evocation/Configuration/joinKey``. The field
    /// has no effect on writes, nor on reads whose target is local.
    public var joins: Joining

    /// Whether to undo a local write that the remote refuses for good.
    ///
    /// The call then fails with the refusal. Failures that may pass and refused credentials undo
    /// nothing. The field has no effect on reads.
    public var rollsBack: Bool

    /// How urgent the writes are that wait in the outbox.
    ///
    /// The field has no effect on reads.
    public var priority: Priority

    /// Creates a rule; by default it asks the remote alone, and synchronizes local.
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
      priority: Priority = .normal
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
      self.priority = priority
    }
  }

  /// When to ask the fallback.
  ///
  /// A canceled call never falls back. Neither does a call that cannot be executed as it is
  /// configured, such as one whose target is not registered.
  public enum FallbackCondition: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// After a failure of the target.
    case onError
    /// After a failure of the target, or an empty answer to a read.
    case onErrorOrEmpty
    /// After a failure that may pass: no connection, a timeout, an overloaded server.
    ///
    /// The call returns any other failure as it is: a refusal, a conflict, criteria that the server
    /// cannot express. An error's ``ClassifiedError/failureKind`` says which it is.
    case onTransientError
  }
}

extension Strategy {
  /// How to keep the second repository up to date; `true` is ``upsert`` and `false` is ``off``.
  public enum Synchronization: String, Sendable, Hashable, CaseIterable, PlainlyPrinted {
    /// Evocation does not change the second repository.
    case off
    /// Evocation inserts, updates or removes in the second repository the models of the target's
    /// answer.
    case upsert
    /// As ``upsert``; after a read, local also removes matching models that the answer lacks.
    case mirror
    /// A write waits in the local store, beside the models, until the remote has it; see
    /// ``Outbox``.
    ///
    /// The call returns when local has saved the write. The write survives a restart if the local
    /// store does, as SQLite does.
    case outbox
  }
}

extension Strategy {
  /// Whether equal concurrent reads are one request; `true` is ``on`` and `false` is ``off``.
  public enum Joining: String, Sendable, Hashable, CaseIterable, PlainlyPrinted {
    /// Each read is a request of its own.
    case off
    /// A read takes the result of an equal read that is under way.
    case on
  }
}

extension Strategy.Joining: ExpressibleByBooleanLiteral {
  /// Creates ``on`` from `true` and ``off`` from `false`.
  public init(booleanLiteral value: Bool) {
    self = value ? .on : .off
  }
}

extension Strategy {
  /// How urgent a write is that waits in the outbox.
  public enum Priority: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// The outbox sends it in the order of the calls.
    case normal
    /// The outbox sends it when it has nothing else to send to the same server.
    ///
    /// While there is always something else, about every eighth write is such a one. It counts as
    /// ``normal`` from when a normal write waits for it, such as one on the same model.
    case utility
  }
}

extension Strategy.Rule {
  /// The same rule, which mirrors after a read, and upserts after a write.
  var mirroringReads: Self {
    var rule = self
    rule.synchronize = .mirror
    return rule.upsertingWrites
  }

  /// The same rule, which upserts after a write.
  var upsertingWrites: Self {
    var rule = self
    rule.upsertsWrites = Uncompared(true)
    return rule
  }

  /// Whether it is a ready-made rule that fits reads and writes, or a changed copy of one.
  var isReadyMade: Bool { upsertsWrites.value }

  /// Returns what the rule is for an action: a ready-made rule fits reads and writes.
  package func fitted(to action: Strategy.Action) -> Self {
    guard upsertsWrites.value else { return self }
    var rule = self
    rule.synchronize = action.isRead ? synchronize : .upsert
    // An empty answer to a write is no reason to fall back.
    if !action.isRead, fallsBack == .onErrorOrEmpty { rule.fallsBack = .onError }
    return rule
  }

  /// A value that does not count when rules are compared: for each action, two rules that are equal
  /// but for it are the same rule, or one of them does not fit.
  private struct Uncompared: Hashable {
    let value: Bool

    init(_ value: Bool) { self.value = value }

    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
}

extension Strategy.Synchronization: ExpressibleByBooleanLiteral {
  /// Creates ``upsert`` from `true` and ``off`` from `false`.
  public init(booleanLiteral value: Bool) {
    self = value ? .upsert : .off
  }
}

extension Strategy.Rule {
  /// Returns why the rule does not fit the action, as the end of a sentence; nil if it fits.
  package func misfit(for action: Strategy.Action) -> String? {
    routingMisfit ?? synchronizationMisfit(for: action) ?? timingMisfit(for: action)
      ?? undoingMisfit(for: action) ?? priorityMisfit(for: action)
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

  private func priorityMisfit(for action: Strategy.Action) -> String? {
    guard priority == .utility, !action.isRead, synchronize != .outbox else { return nil }
    return "its priority is for writes that wait in the outbox; synchronize with outbox"
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
