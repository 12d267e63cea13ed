extension RepositoryContract {
  /// What a repository may reject, with an error that names it.
  public enum Capability: String, Sendable, Hashable, Codable, CaseIterable {
    /// Criteria joined by `||`.
    case or
    /// Criteria negated by `!`.
    case not
    /// `hasPrefix`.
    case prefix
    /// `contains`.
    case contains
    /// `equals`, `hasPrefix` and `contains` with options, such as `.like`.
    case options
    /// `after`, with the cursor of a model.
    case cursors
    /// Criteria with `!=`.
    case notEqual
    /// An offset, or an offset that is no multiple of the page size.
    case offset
    /// Keeping the ids of stored models: a service may assign its own.
    case ids
    /// Bulk writes that do all of their work or none: a service may write one model at a time, and
    /// report its progress in a `PartialError`.
    case allOrNone
    /// Returning removed models as they last were: a service may return them as the app knew them.
    case lastState
    /// Reporting its changes, as an `ObservableRepository`.
    case observing

    /// The words of which an error must contain one.
    var words: Set<String> {
      switch self {
      case .or: ["or", "||", "any"]
      case .not: ["not", "!"]
      case .prefix: ["prefix", "hasPrefix"]
      case .contains: ["contains"]
      case .options: ["options", "case", "accents"]
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
