extension Route {
  /// How a call ends.
  struct Verdict: Hashable {
    /// The repository whose answer is given; nil when the action failed.
    var origin: Evocation.RepositoryType?
    /// What the result's error is; nil when all went as configured.
    var error: Fault?
    /// Whether the counterpart failed to follow.
    var didNotFollow = false
    /// Whether the target is asked behind the answer.
    var revalidates = false

    static func failed(_ fault: Fault) -> Verdict {
      Verdict(origin: nil, error: fault)
    }
  }

  /// Where an error comes from.
  enum Fault: Hashable {
    /// The repository's own.
    case of(Evocation.RepositoryType)
    /// The repository is not registered.
    case missing(Evocation.RepositoryType)
    /// The local repository keeps no outbox.
    case noOutbox
    /// The call was cancelled.
    case cancelled
  }
}

extension Route.Verdict {
  /// Whether the rule's target answered without a fault, so that what it gave counts as fetched.
  func isFetch(by rule: Strategy.Rule) -> Bool {
    origin == rule.target && error == nil && !didNotFollow
  }
}
