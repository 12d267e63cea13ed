/// The repositories that each action asks, and how Evocation synchronizes them.
///
/// It has one ``Rule`` for each ``Action``:
///
/// ```swift
/// let careful = try Strategy(rules: [
///   .find: .remoteFirst, .findOne: .remoteFirst,
///   .store: .remoteOnly, .storeOne: .remoteOnly,
///   .update: .remoteOnly, .updateOne: .remoteOnly,
///   .remove: .remoteOnly, .removeOne: .remoteOnly,
/// ])
/// print(careful.explain())
/// ```
///
/// You can read a strategy from JSON with ``init(json:)`` or any decoder.
public struct Strategy: Sendable, Hashable, PlainlyPrinted {
  private var rules: [Rule]

  /// Creates a strategy with the same rule for every action.
  ///
  /// A ready-made name means the strategy of that name: `Strategy(.remoteFirst)` is
  /// ``remoteFirst``, whose writes have no fallback, because Evocation would not send them to the
  /// server later.
  ///
  /// If the rule does not fit an action, as a rule that mirrors does not fit a write, each call of
  /// that action fails with ``StrategyError/invalidRule(_:_:reason:)``. ``Proxy/validate()`` throws
  /// the same error. Use ``init(reads:writes:)`` for one rule for reads and one for writes.
  @_disfavoredOverload  // Else `Strategy(.remoteFirst)` would not be the strategy of that name.
  public init(_ rule: Rule) {
    rules = Action.allCases.map(rule.fitted)
  }

  /// Creates a strategy from a ready-made one: `Strategy(.remoteFirst)` is ``remoteFirst``.
  public init(_ strategy: Strategy) {
    self = strategy
  }

  /// Creates a strategy with one rule for reads and one for writes.
  ///
  /// ```swift
  /// let strategy = try Strategy(
  ///   reads: .init(target: .remote, fallback: .local, synchronize: .mirror),
  ///   writes: .init(target: .local, synchronize: .outbox))
  /// ```
  ///
  /// - Throws: ``StrategyError/invalidRule(_:_:reason:)`` if a rule does not fit its actions.
  public init(reads: Rule, writes: Rule) throws(StrategyError) {
    self.init(reading: reads, writing: writes)
    if let misfit { throw misfit }
  }

  /// Creates a strategy with a rule for each action.
  ///
  /// - Throws: ``StrategyError/incompleteConfiguration(missing:)`` if an action has no rule, and
  ///   ``StrategyError/invalidRule(_:_:reason:)`` if a rule does not fit its action.
  public init(rules: [Action: Rule]) throws(StrategyError) {
    let missing = Action.allCases.filter { rules[$0] == nil }
    guard missing.isEmpty else { throw .incompleteConfiguration(missing: missing) }
    self.rules = Action.allCases.compactMap { rules[$0]?.fitted(to: $0) }
    if let misfit { throw misfit }
  }

  private init(reading reads: Rule, writing writes: Rule) {
    rules = Action.allCases.map { ($0.isRead ? reads : writes).fitted(to: $0) }
  }

  init(remoteFirst: Rule, localFirst: Rule) {
    rules = Action.allCases.map {
      ($0.isRead || $0.isRemoval ? remoteFirst : localFirst).fitted(to: $0)
    }
  }

  /// The first rule that does not fit its action; nil if all fit.
  package var misfit: StrategyError? {
    for action in Action.allCases {
      if let reason = self[action].misfit(for: action) {
        return .invalidRule(action, self[action], reason: reason)
      }
    }
    return nil
  }

  /// Whether any rule sends writes through the outbox.
  package var usesOutbox: Bool { rules.contains { $0.synchronize == .outbox } }

  /// The rule for an action.
  public subscript(action: Action) -> Rule {
    rules[action.index]
  }
}

/// Rules for single actions, for ``Strategy/init(rules:)`` and for the `rule` of a call.
extension Strategy.Rule {
  /// The remote first, with local as the fallback; local follows, and after a read it mirrors.
  ///
  /// As under the strategy of this name, a read removes from local the matching models that the
  /// remote no longer has. `Rule(target: .remote, fallback: .local)` keeps them.
  public static let remoteFirst = Self(target: .remote, fallback: .local).mirroringReads

  /// Local first, with the remote as the fallback; after a write, the remote is synchronized.
  ///
  /// As under the strategy of this name, a read asks the remote if local fails or has nothing, and
  /// saves nothing. `Rule(target: .local, fallback: .remote)` sends what local has to the remote, also
  /// after a read.
  public static let localFirst = Self(
    target: .local, fallback: .remote, synchronize: .off, fallsBack: .onErrorOrEmpty
  ).upsertingWrites

  /// The remote repository alone.
  public static let remoteOnly = Self(target: .remote, synchronize: .off)

  /// The local repository alone.
  public static let localOnly = Self(target: .local, synchronize: .off)

  /// Returns a rule that reads from local for `maxAge` after a fetch, otherwise as ``remoteFirst``.
  public static func cacheFirst(maxAge: Duration) -> Self {
    Self(target: .remote, fallback: .local, maxAge: maxAge).mirroringReads
  }

  /// Returns a rule that reads from local, and refreshes data older than `maxAge` in the
  /// background, as ``remoteFirst`` does.
  public static func staleWhileRevalidate(maxAge: Duration) -> Self {
    Self(target: .remote, fallback: .local, maxAge: maxAge, revalidates: true).mirroringReads
  }
}

extension Strategy {
  /// Returns the default of Evocation 1.0: reads and removals remote first, other writes local
  /// first.
  ///
  /// Each repository is the fallback of the second one, and is synchronized with it. Evocation does
  /// not send a removal that falls back to local to the remote later; ``explain()`` notes this.
  public static func `default`() -> Strategy {
    Strategy(remoteFirst: Rule(target: .remote, fallback: .local), localFirst: .localFirst)
  }

  /// Reads from the remote, or else from local; writes to the remote, and then to local.
  ///
  /// A read removes from local the matching models that the remote no longer has.
  public static let remoteFirst = Strategy(
    reading: .remoteFirst, writing: Rule(target: .remote))

  /// Reads from local, or from the remote if local fails or has nothing; writes to local first.
  ///
  /// A write that succeeded in local is then made in the remote.
  public static let localFirst = Strategy(
    reading: .localFirst, writing: Rule(target: .local))

  /// Reads from and writes to the remote repository alone.
  public static let remoteOnly = Strategy(Rule.remoteOnly)

  /// Reads from and writes to the local repository alone.
  public static let localOnly = Strategy(Rule.localOnly)

  /// Returns a strategy that reads from local while it is fresh, otherwise like ``remoteFirst``.
  ///
  /// Writes are as in ``remoteFirst``.
  public static func cacheFirst(maxAge: Duration) -> Strategy {
    Strategy(reading: .cacheFirst(maxAge: maxAge), writing: Rule(target: .remote))
  }

  /// Returns a strategy that reads from local immediately, and refreshes stale data in the
  /// background.
  ///
  /// Writes are as in ``remoteFirst``.
  public static func staleWhileRevalidate(maxAge: Duration) -> Strategy {
    Strategy(
      reading: .staleWhileRevalidate(maxAge: maxAge), writing: Rule(target: .remote))
  }

  /// Reads from local immediately, then refreshes; writes to local, and sends the writes when
  /// possible.
  ///
  /// Reads include unsent changes. A read removes from local the matching models that the remote no
  /// longer has, but never unsent changes. The local repository must be an ``OutboxRepository``.
  /// Its entries survive a restart on SQLite, and not in memory.
  public static let offlineFirst = Strategy(
    reading: .staleWhileRevalidate(maxAge: .zero),
    writing: Rule(target: .local, synchronize: .outbox)
  )
}
