extension RepositoryContract {
  /// What a repository may refuse to do, with an error that names it.
  public enum Capability: String, Sendable, Hashable, Codable, CaseIterable {
    /// Criteria joined by `||`.
    case or
    /// Criteria turned round by `!`.
    case not
    /// `hasPrefix`.
    case prefix
    /// `contains`.
    case contains
    /// `after`, with the cursor of a model.
    case cursors
    /// Criteria with `!=`.
    case notEqual
    /// An offset, or one that is not whole pages.
    case offset
    /// Keeping the ids that models are stored with: a service may give its own.
    case ids
    /// Bulk writes that do all of their work or none: a service may take one model at a time, and a
    /// `PartialError` then says how far it came.
    case allOrNone
    /// Giving removed models as they last were, and not as the app knew them.
    case lastState
    /// Telling its changes, as an `ObservableRepository`.
    case observing

    /// Words of which a refusal has to have one.
    var words: Set<String> {
      switch self {
      case .or: ["or", "||", "any"]
      case .not: ["not", "!"]
      case .prefix: ["prefix", "hasPrefix"]
      case .contains: ["contains"]
      case .cursors: ["after", "cursor", "cursors"]
      case .notEqual: ["!", "notEqual"]
      case .offset: ["offset", "pages"]
      case .ids, .allOrNone, .lastState, .observing: []
      }
    }
  }

  /// The result of a check of a repository.
  public struct Report: Sendable {
    /// The rules that the repository broke; empty when it keeps the contract.
    public internal(set) var violations: [Violation] = []

    /// What the repository rejects, each with the first sentence in which it says so.
    public internal(set) var refusals: [Capability: String] = [:]

    /// What the repository rejects.
    public var refused: Set<Capability> { Set(refusals.keys) }

    mutating func add(_ other: Report) {
      violations += other.violations
      refusals.merge(other.refusals) { first, _ in first }
    }
  }
}
