extension Evocation.Trace {
  /// Notes how a repository did.
  mutating func note(_ metadata: Evocation.Metadata, of type: Evocation.RepositoryType) {
    let outcome: Outcome =
      switch metadata.error {
      case nil: .answered(count: metadata.count)
      case is CancellationError: .cancelled
      case .some(let error): .failed("\(error)")
      }
    steps.append(
      Step(
        repository: type, role: metadata.role, outcome: outcome, attempts: metadata.attempts,
        duration: metadata.duration
      )
    )
  }

  /// Notes that the fallback could not be asked.
  mutating func noteMissingFallback(_ type: Evocation.RepositoryType) {
    skip(type, .fallback, "the fallback, \(type.rawValue), is not registered")
  }

  /// Notes that a repository was not asked, and why.
  mutating func skip(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, _ reason: String
  ) {
    steps.append(Step(repository: type, role: role, outcome: .skipped(reason), attempts: 0))
  }
}
