extension Evocation {
  /// What a call tried, step by step and in order; it prints as sentences.
  ///
  /// As JSON it has the duration of each step in seconds, to the nanosecond, and what came of it by
  /// name: `answered` with a `count`, `failed` or `skipped` with a `reason`, or `cancelled`.
  ///
  /// ```json
  /// {
  ///   "model": "Car", "call": "find",
  ///   "steps": [
  ///     {
  ///       "repository": "remote", "role": "target", "attempts": 2, "duration": 1.25,
  ///       "outcome": { "failed": { "reason": "The service is down." } }
  ///     },
  ///     {
  ///       "repository": "local", "role": "fallback", "attempts": 1, "duration": 0.002,
  ///       "outcome": { "answered": { "count": 79 } }
  ///     }
  ///   ]
  /// }
  /// ```
  public struct Trace: Sendable, Hashable, Codable {
    /// The model type's name.
    public var model: String

    /// The call's name, such as `findOne`.
    public var call: String

    /// The steps, the first one first.
    public var steps: [Step]

    /// Makes a trace.
    public init(model: String = "", call: String = "", steps: [Step] = []) {
      self.model = model
      self.call = call
      self.steps = steps
    }
  }
}

extension Evocation.Trace: CustomStringConvertible {
  /// The steps as sentences, such as `find Car: remote failed after 2 ms: …. local answered …`.
  public var description: String {
    let sentences = steps.map(\.description).joined(separator: " ")
    return "\(call) \(model): \(sentences.isEmpty ? "nothing was tried." : sentences)"
  }
}

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
