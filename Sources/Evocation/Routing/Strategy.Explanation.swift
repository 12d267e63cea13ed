extension Strategy {
  /// What a strategy does for every action and every outcome; it prints as Markdown.
  public struct Explanation: Sendable, Hashable {
    /// A row for each action and each way that a call can go.
    package let rows: [Row]

    /// What can lose a write or leave old models behind: a sentence each, with its actions.
    public let warnings: [String]

    /// What depends on the repositories, not on the rules alone: a sentence each, with its actions.
    public let notes: [String]
  }

  /// Explains what happens for every action and every outcome of each side.
  ///
  /// Both repositories are taken to be registered. The rows come from the same machine that
  /// routes the calls.
  public func explain() -> Explanation {
    Explanation(Dictionary(uniqueKeysWithValues: Action.allCases.map { ($0, self[$0]) }))
  }
}

extension Strategy.Rule {
  /// Explains what happens in a call by this rule, for every outcome of each side.
  ///
  /// ```swift
  /// print(Strategy.Rule.remoteFirst.explain(for: .find))
  /// ```
  ///
  /// Both repositories are taken to be registered.
  ///
  /// - Parameter action: What the call does; nil for everything that the rule fits.
  /// - Returns: The table; where the rule does not fit the action, why it does not, as a warning.
  public func explain(for action: Strategy.Action? = nil) -> Strategy.Explanation {
    if let action, let reason = misfit(for: action) {
      let error = StrategyError.invalidRule(action, self, reason: reason)
      return Strategy.Explanation(rows: [], warnings: [error.description], notes: [])
    }
    let actions = action.map { [$0] } ?? Strategy.Action.allCases.filter { misfit(for: $0) == nil }
    return Strategy.Explanation(Dictionary(uniqueKeysWithValues: actions.map { ($0, self) }))
  }
}

extension Strategy.Explanation {
  /// Explains the rules of some actions.
  fileprivate init(_ rules: [Strategy.Action: Strategy.Rule]) {
    let misfits = Strategy.Action.allCases.compactMap { action in
      rules[action].flatMap { rule in
        rule.misfit(for: action).map { StrategyError.invalidRule(action, rule, reason: $0) }
      }
    }
    let rules = rules.filter { $1.misfit(for: $0) == nil }
    rows = Strategy.Action.allCases.flatMap { action in
      rules[action].map { Self.rows(for: $0, action) } ?? []
    }
    warnings = misfits.map(\.description) + Self.warnings(of: rules)
    notes = Self.notes(of: rules)
  }
}

extension Strategy.Explanation {
  /// One way that a call of an action can go.
  package struct Row: Sendable, Hashable {
    /// The action that the row is about.
    package let action: Strategy.Action

    /// Whether local was fetched within the rule's `maxAge`; nil when that makes no difference.
    package let isFresh: Bool?

    /// What each repository does, in order.
    package let events: [Event]

    /// The repository that the data come from; nil when the action fails.
    package let origin: Evocation.RepositoryType?

    /// The repository whose error is the result's; nil when there is none.
    package let error: Evocation.RepositoryType?

    /// Whether the counterpart's failure is the result's `synchronizationError`.
    package let didNotFollow: Bool

    /// Whether the target is asked behind the answer.
    package let revalidates: Bool

    /// Whether the rule needs an outbox, and the call is refused without one.
    package let needsOutbox: Bool
  }

  /// What a repository does in a row.
  package struct Event: Sendable, Hashable {
    /// The repository.
    package let repository: Evocation.RepositoryType
    /// What it is asked for.
    package let role: Evocation.Metadata.Role
    /// How the repository answers in this row.
    package let outcome: Outcome
    /// Whether it fails with an error that does not pass, where the rule tells these apart.
    package let isRefusal: Bool
  }

  /// How a repository answers in a row.
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// It answers with models.
    case models
    /// It answers with no models.
    case empty
    /// It fails with an error.
    case failure
  }
}
