extension Evocation {
  /// What one repository did in one call.
  public struct Metadata: Sendable {
    /// What the repository was asked for in this call.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
      /// It was asked first.
      case target
      /// It answered in place of the target.
      case fallback
      /// It was kept in step with what the target answered.
      case synchronization
      /// It answered a read in place of the target, because what it holds was fresh enough.
      case cache
      /// It undid what it had done as the target, because the counterpart refused that for good.
      case rollback
    }

    /// What the repository was asked for.
    public var role: Role

    /// How long it took, all attempts and the pauses between them included.
    public var duration: Duration

    /// How many models it answered.
    public var count: Int

    /// How many times it was asked.
    public var attempts: Int

    /// Why it failed, or nil.
    public var error: (any Error)?

    /// Additional values of the repository, under the names that it chose.
    ///
    /// Of one that failed and asked to wait for too long, `remark` says so, as the trace does.
    public var values: [String: any Sendable]

    /// The service's version of each model that the repository answered, in the order of its answer.
    ///
    /// Nil for a model of which it has none, and empty where it knows no versions. The result may have
    /// other models than the repository answered: reads include unsent changes.
    public var versions: [String?]

    /// What the outbox holds of what was written; a class, to be one pointer wide in other calls.
    final class Queued: Sendable {
      /// Whether it survives the end of the process.
      let isDurable: Bool
      /// By which the outbox finds it again.
      let delivery: any Sendable

      init(isDurable: Bool, delivery: any Sendable) {
        self.isDurable = isDurable
        self.delivery = delivery
      }
    }

    /// Where the outbox holds what was written; nil where it does not.
    var queued: Queued?

    /// Makes metadata.
    public init(
      role: Role,
      duration: Duration = .zero,
      count: Int = 0,
      attempts: Int = 1,
      error: (any Error)? = nil,
      values: [String: any Sendable] = [:],
      versions: [String?] = []
    ) {
      self.role = role
      self.duration = duration
      self.count = count
      self.attempts = attempts
      self.error = error
      self.values = values
      self.versions = versions
    }

    /// What the repository added under this name.
    public subscript(name: String) -> (any Sendable)? {
      values[name]
    }
  }
}

extension Evocation {
  /// The metadata of a call, one for each repository that took part.
  public struct MetadataByRepository: Sendable {
    private var remote: Metadata?
    private var local: Metadata?

    /// Makes it empty.
    public init() {}

    /// What the repository did, or nil when it was not asked.
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
