extension Evocation.Trace {
  /// One step of a call: a repository that was asked, or skipped.
  public struct Step: Sendable, Hashable {
    /// The repository of the step.
    public var repository: Evocation.RepositoryType

    /// The purpose of the step, such as asking the target or synchronizing.
    public var role: Evocation.Metadata.Role

    /// Whether the repository answered, failed, was canceled or was skipped.
    public var outcome: Outcome

    /// How often Evocation asked the repository.
    public var attempts: Int

    /// How long the step took, with all attempts and the pauses between them.
    public var duration: Duration

    /// How long before the local store's answer its data were fetched; nil if that is unknown.
    public var age: Duration?

    /// How many models the repository left out of its answer, because they cannot be read or do not match.
    public var leftOut: Int

    /// The reason for which it left out models; nil if it left out none.
    public var leftOutReason: String?

    /// The name of the repository of a ``FallbackRepository`` that was asked; nil for any other.
    public var name: String?

    /// Creates a step of a trace.
    public init(
      repository: Evocation.RepositoryType,
      role: Evocation.Metadata.Role,
      outcome: Outcome,
      attempts: Int = 1,
      duration: Duration = .zero,
      age: Duration? = nil,
      leftOut: Int = 0,
      leftOutReason: String? = nil,
      name: String? = nil
    ) {
      self.repository = repository
      self.role = role
      self.outcome = outcome
      self.attempts = attempts
      self.duration = duration
      self.age = age
      self.leftOut = leftOut
      self.leftOutReason = leftOutReason
      self.name = name
    }
  }

  /// The outcome of a step.
  public enum Outcome: Sendable, Hashable, PlainlyPrinted {
    /// The repository returned this many models.
    case answered(count: Int)
    /// The repository failed, for the reason that it reported.
    case failed(String)
    /// The call was canceled during the step.
    case cancelled
    /// The repository was not asked, for this reason.
    case skipped(String)

    /// The repository failed with an error, and a remark says what that led to.
    ///
    /// The text has none of the words that the service sent.
    package static func failed(with error: any Error, remark: String? = nil) -> Self {
      let text = ServiceWords.hidden(in: error)
      return .failed(remark.map { "\(text.asSentence) \($0)" } ?? text)
    }
  }
}

extension Evocation.Trace.Step: CustomStringConvertible {
  /// One sentence: which repository did what, and how long it took.
  public var description: String {
    let place = repository.rawValue + (name.map { " (\($0))" } ?? "")
    let tries = attempts > 1 ? " after \(attempts) attempts" : ""
    let time = duration == .zero ? "" : " in \(duration.brief)"
    return switch outcome {
    case .answered(let count):
      "\(answer(place, count))\(omission)\(tries)\(time)\(age.map { ", fetched \($0.ago)" } ?? "")."
    case .failed(let reason): "\(failure(place))\(tries)\(time): \(reason.asSentence)"
    case .cancelled: "\(place) was canceled\(time)."
    case .skipped(let reason): "\(place) was skipped: \(reason.asSentence)"
    }
  }

  private var omission: String {
    leftOut == 0 ? "" : ", and left out \(leftOut)\(leftOutReason.map { " \($0)" } ?? ""),"
  }

  private func answer(_ place: String, _ count: Int) -> String {
    let models = count == 0 ? "nothing" : "\(count) model\(count == 1 ? "" : "s")"
    return switch role {
    case .target: "\(place) returned \(models)"
    case .fallback: "\(place), the fallback, returned \(models)"
    case .cache: "\(place), asked first, returned \(models)"
    case .synchronization: "\(place) was synced with \(models)"
    case .rollback: "\(place) undid its write"
    }
  }

  private func failure(_ place: String) -> String {
    switch role {
    case .target: "\(place) failed"
    case .fallback: "\(place), the fallback, failed too"
    case .cache: "\(place), asked first, failed"
    case .synchronization: "syncing to \(place) failed"
    case .rollback: "\(place) could not undo its write"
    }
  }
}

extension String {
  /// The text with a full stop, unless it already ends a sentence.
  package var asSentence: String {
    last.map { ".?!".contains($0) } ?? false ? self : self + "."
  }
}
