extension Strategy {
  /// What a strategy does for every action and every outcome; it prints as Markdown.
  public struct Explanation: Sendable, Hashable, CustomStringConvertible {
    /// A row for each action and each way that a call can go.
    package let rows: [Row]

    /// A sentence for each way to lose a write or leave outdated models behind, with its actions.
    public let warnings: [String]

    /// A sentence for each effect that depends on the repositories and not on the rules alone.
    ///
    /// Each sentence names the actions that it concerns.
    public let notes: [String]
  }

  /// Explains what happens for every action and every outcome of both repositories.
  ///
  /// It assumes that both repositories are registered. The rows come from the same value that
  /// routes the calls.
  public func explain() -> Explanation {
    Explanation(Dictionary(uniqueKeysWithValues: Action.allCases.map { ($0, self[$0]) }))
  }
}

extension Strategy.Rule {
  /// Explains what happens in a call by this rule, for every outcome of both repositories.
  ///
  /// ```swift
  /// print(Strategy.Rule.remoteFirst.explain(for: .find))
  /// ```
  ///
  /// It assumes that both repositories are registered.
  ///
  /// - Parameter action: The action of the call; nil for all actions that the rule fits.
  /// - Returns: The explanation. If the rule does not fit the action, it has no rows, and a warning
  ///   that says why.
  public func explain(for action: Strategy.Action? = nil) -> Strategy.Explanation {
    if let action, let reason = fitted(to: action).misfit(for: action) {
      let error = StrategyError.invalidRule(action, self, reason: reason)
      return Strategy.Explanation(rows: [], warnings: [error.description], notes: [])
    }
    let rules = (action.map { [$0] } ?? Strategy.Action.allCases).map { ($0, fitted(to: $0)) }
    return Strategy.Explanation(
      Dictionary(uniqueKeysWithValues: rules.filter { $1.misfit(for: $0) == nil }))
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
  package struct Row: Sendable, Hashable, CustomStringConvertible {
    /// The action that the row is about.
    package let action: Strategy.Action

    /// Whether local was fetched within the rule's `maxAge`; nil if that makes no difference.
    package let isFresh: Bool?

    /// The events in order, one for each step of a repository.
    package let events: [Event]

    /// The repository that the data come from; nil if the action fails.
    package let origin: Evocation.RepositoryType?

    /// The repository whose error is the result's error; nil if there is none.
    package let error: Evocation.RepositoryType?

    /// Whether the result has the second repository's failure as its `synchronizationError`.
    package let didNotFollow: Bool

    /// Whether Evocation asks the target after the call has returned.
    package let revalidates: Bool

    /// Whether the rule needs an outbox, so that the call fails without one.
    package let needsOutbox: Bool
  }

  /// What a repository does in a row.
  package struct Event: Sendable, Hashable, CustomStringConvertible {
    /// The repository.
    package let repository: Evocation.RepositoryType
    /// The purpose for which Evocation calls the repository.
    package let role: Evocation.Metadata.Role
    /// How the repository answers in this row.
    package let outcome: Outcome
    /// Whether it fails with an error that does not pass, if the rule distinguishes such errors.
    package let isRefusal: Bool
  }

  /// How a repository answers in a row.
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// It answers with models.
    case models
    /// It answers with no models.
    case empty
    /// It has no models, and the criteria were never fetched, in rows where that matters.
    case unknown
    /// It fails with an error.
    case failure
  }
}
