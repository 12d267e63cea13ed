extension Evocation {
  /// What one repository did in one call.
  public struct Metadata: Sendable, PlainlyPrinted {
    /// The purpose for which Evocation called the repository.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
      /// Evocation asked it first.
      case target
      /// It answered in place of the target.
      case fallback
      /// Evocation wrote the target's answer to it.
      case synchronization
      /// It answered a read in place of the target, because its data were fresh enough.
      case cache
      /// It undid its write as the target, because the second repository refused that write for
      /// good.
      case rollback
    }

    /// The purpose for which Evocation called the repository.
    public var role: Role

    /// How long it took, with all attempts and the pauses between them.
    public var duration: Duration

    /// The number of models in its answer.
    public var count: Int

    /// How often Evocation asked it.
    public var attempts: Int

    /// Why it failed; nil if it did not.
    public var error: (any Error)?

    /// Additional values of the repository, by names that it chose.
    ///
    /// If the repository failed, and the server asked for a wait that exceeds the rule's limits,
    /// `remark` says so, as the trace does.
    public var values: [String: any Sendable]

    /// The server's version of each model that the repository returned, in the order of its answer.
    ///
    /// Nil for a model without a version, and empty if the repository knows no versions. The result
    /// may have other models than the repository returned, because reads include unsent changes.
    public var versions: [String?]

    /// The outbox entries of a write; a class, to be one pointer wide in calls without them.
    @usableFromInline package final class Queued: Sendable {
      /// Whether the entries survive the end of the process.
      let isDurable: Bool
      /// The key by which the outbox finds the entries again.
      package let delivery: any Sendable

      package init(isDurable: Bool, delivery: any Sendable) {
        self.isDurable = isDurable
        self.delivery = delivery
      }
    }

    /// The outbox entries of the write; nil if there are none.
    @usableFromInline package var queued: Queued?

    /// Creates metadata.
    public init(
      role: Role,
      duration: Duration = .zero,
      count: Int = 0,
      attempts: Int = 1,
      error: (any Error)? = nil,
      values: [String: any Sendable] = [:],
      versions: [String?] = []
    ) {
      self.init(
        role: role, duration: duration, count: count, attempts: attempts, error: error,
        values: values, versions: versions, queued: nil)
    }

    /// Creates metadata, with the outbox entries of a write.
    @inlinable
    package init(
      role: Role, duration: Duration, count: Int, attempts: Int = 1, error: (any Error)? = nil,
      values: [String: any Sendable], versions: [String?], queued: Queued?
    ) {
      self.role = role
      self.duration = duration
      self.count = count
      self.attempts = attempts
      self.error = error
      self.values = values
      self.versions = versions
      self.queued = queued
    }

    /// The repository's additional value of this name.
    public subscript(name: String) -> (any Sendable)? {
      values[name]
    }
  }
}

extension Evocation {
  /// The metadata of a call, one for each repository that took part.
  public struct MetadataByRepository: Sendable, PlainlyPrinted {
    private var remote: Metadata?
    private var local: Metadata?

    /// Creates metadata of no repository.
    public init() {}

    /// The metadata of the repository; nil if it was not asked.
    public subscript(type: RepositoryType) -> Metadata? {
      get { type == .remote ? remote : local }
      set {
        switch type {
        case .remote: remote = newValue
        case .local: local = newValue
        }
      }
    }
  }
}

extension Evocation.Metadata {
  /// The name of the value that says why a repository was not asked, although it takes part.
  package static var notAsked: String { "notAsked" }
}
