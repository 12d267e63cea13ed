/// Which repository is asked for each action, which is the fallback, and what is synchronized.
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
/// A strategy reads from JSON with ``init(json:)`` or any decoder.
public struct Strategy: Sendable, Hashable {
  private var rules: [Rule]

  /// Creates a strategy with the same rule for every action.
  ///
  /// A ready-made name means the strategy of that name: `Strategy(.remoteFirst)` is
  /// ``remoteFirst``, whose writes have no fallback, because Evocation would not send them to the
  /// server later.
  ///
  /// A rule that does not fit an action, such as one that mirrors writes, is the error of each call
  /// of that action, and of ``Proxy/validate()``: ``StrategyError/invalidRule(_:_:reason:)``. Use
  /// ``init(reads:writes:)`` for one rule for reads and one for writes.
  @_disfavoredOverload  // Else `Strategy(.remoteFirst)` would not be the strategy of that name.
  public init(_ rule: Rule) {
    rules = Action.allCases.map { _ in rule }
  }

  /// Gives a ready-made strategy by its name: `Strategy(.remoteFirst)` is ``remoteFirst``.
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
  /// - Throws: ``StrategyError/invalidRule(_:_:reason:)`` when a rule does not fit its actions.
  public init(reads: Rule, writes: Rule) throws(StrategyError) {
    self.init(reading: reads, writing: writes)
    if let misfit { throw misfit }
  }

  /// Creates a strategy with a rule for each action.
  ///
  /// - Throws: ``StrategyError/incompleteConfiguration(missing:)`` when an action has no rule, and
  ///   ``StrategyError/invalidRule(_:_:reason:)`` when a rule does not fit its action.
  public init(rules: [Action: Rule]) throws(StrategyError) {
    let missing = Action.allCases.filter { rules[$0] == nil }
    guard missing.isEmpty else { throw .incompleteConfiguration(missing: missing) }
    self.rules = Action.allCases.compactMap { rules[$0] }
    if let misfit { throw misfit }
  }

  private init(reading reads: Rule, writing writes: Rule) {
    rules = Action.allCases.map { $0.isRead ? reads : writes }
  }

  init(remoteFirst: Rule, localFirst: Rule) {
    rules = Action.allCases.map { $0.isRead || $0.isRemoval ? remoteFirst : localFirst }
  }

  /// The first rule that does not fit its action; nil where all do.
  var misfit: StrategyError? {
    for action in Action.allCases {
      if let reason = self[action].misfit(for: action) {
        return .invalidRule(action, self[action], reason: reason)
      }
    }
    return nil
  }

  /// Whether writes of any kind go by the outbox.
  package var usesOutbox: Bool { rules.contains { $0.synchronize == .outbox } }

  /// The rule for an action.
  public subscript(action: Action) -> Rule {
    rules[action.index]
  }
}

/// Rules for single actions, to be given to ``Strategy/init(rules:)``.
extension Strategy.Rule {
  /// Remote, with local as its fallback; local is synchronized.
  public static let remoteFirst = Self(target: .remote, fallback: .local)

  /// Local, with the remote as its fallback; the remote is synchronized.
  public static let localFirst = Self(target: .local, fallback: .remote)

  /// The remote alone.
  public static let remoteOnly = Self(target: .remote, synchronize: .off)

  /// The local repository alone.
  public static let localOnly = Self(target: .local, synchronize: .off)

  /// Local if it was fetched within `maxAge`, else as ``remoteFirst``.
  public static func cacheFirst(maxAge: Duration) -> Self {
    Self(target: .remote, fallback: .local, maxAge: maxAge)
  }

  /// Local at once; if that is older than `maxAge`, the remote is asked in the background.
  public static func staleWhileRevalidate(maxAge: Duration) -> Self {
    Self(target: .remote, fallback: .local, maxAge: maxAge, revalidates: true)
  }
}

extension Strategy.Rule {
  /// The same rule for reads after which local has nothing else for the criteria.
  fileprivate var mirroring: Self {
    var rule = self
    rule.synchronize = .mirror
    return rule
  }
}

extension Strategy {
  /// The default of Evocation 1.0: reads and removals remote first, other writes local first.
  ///
  /// Each repository is the fallback of the other, and is synchronized. A removal that falls back to
  /// local is not sent to the remote later; ``explain()`` says so.
  public static func `default`() -> Strategy {
    Strategy(remoteFirst: .remoteFirst, localFirst: .localFirst)
  }

  /// Reads from the remote or else from local; writes to the remote, and then to local.
  ///
  /// What the remote no longer has is removed from local when it is read.
  public static let remoteFirst = Strategy(
    reading: .remoteFirst.mirroring, writing: Rule(target: .remote))

  /// Reads from local, or from the remote when local fails or has nothing; writes to local first.
  ///
  /// A write that succeeded is then made to the remote.
  public static let localFirst = Strategy(
    reading: Rule(
      target: .local, fallback: .remote, synchronize: .off, fallsBack: .onErrorOrEmpty
    ),
    writing: Rule(target: .local)
  )

  /// Reads from and writes to the remote alone.
  public static let remoteOnly = Strategy(Rule.remoteOnly)

  /// Reads from and writes to the local repository alone.
  public static let localOnly = Strategy(Rule.localOnly)

  /// Reads from local while it is fresh, else as ``remoteFirst``; writes as ``remoteFirst``.
  public static func cacheFirst(maxAge: Duration) -> Strategy {
    Strategy(reading: .cacheFirst(maxAge: maxAge).mirroring, writing: Rule(target: .remote))
  }

  /// Reads from local at once, and refreshes stale data in the background; writes as
  /// ``remoteFirst``.
  public static func staleWhileRevalidate(maxAge: Duration) -> Strategy {
    Strategy(
      reading: .staleWhileRevalidate(maxAge: maxAge).mirroring, writing: Rule(target: .remote))
  }

  /// Reads from local at once, and then refreshes; writes to local, and sends them when possible.
  ///
  /// What waits to be sent lies over what is read, and what the remote no longer has is removed from
  /// local when it is read, but never what waits. The local repository must be an
  /// ``OutboxRepository``, whose entries survive a restart on SQLite and not in memory.
  public static let offlineFirst = Strategy(
    reading: .staleWhileRevalidate(maxAge: .zero).mirroring,
    writing: Rule(target: .local, synchronize: .outbox)
  )
}
