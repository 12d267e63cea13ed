extension Evocation {
  /// What a call tried, step by step and in order; it prints as sentences.
  ///
  /// In JSON, each step has its duration in seconds, to the nanosecond, and its outcome by name:
  /// `answered` with a `count`, `failed` or `skipped` with a `reason`, or `cancelled`.
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

    /// Creates a trace.
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
