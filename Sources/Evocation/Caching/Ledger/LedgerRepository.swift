/// A local repository that also keeps the ledger, so that data and freshness are one transaction.
public protocol LedgerRepository<Model>: Repository {
  /// The ledger in the same store; always the same object, or one of the same identity.
  var fetchLedger: any FetchLedger { get }

  /// Saves models and writes the stamp: both, or neither.
  ///
  /// - Parameters:
  ///   - models: What was fetched, to be stored or updated.
  ///   - criteria: What is to hold exactly these models afterwards; nil to remove nothing.
  ///   - stamp: What is to be remembered; its ledger is this repository's.
  /// - Throws: What the store throws; nothing is saved then, and nothing remembered.
  func save(_ models: [Model], mirroring criteria: Criteria?, stamp: FetchStamp) async throws

  /// Saves models and writes the stamp, and leaves some models as they are: both, or neither.
  ///
  /// It is asked where the app wrote some models after the others were fetched. The default
  /// implementation finds those that match, and saves them with the others.
  ///
  /// - Parameters:
  ///   - models: What was fetched, to be stored or updated; none of those to be kept is among them.
  ///   - criteria: What is to hold nothing else afterwards; nil to remove nothing. A limit counts
  ///     `models` alone.
  ///   - kept: What is neither changed nor removed, and is not added; only its ids count.
  ///   - stamp: What is to be remembered; its ledger is this repository's.
  /// - Throws: What the store throws; nothing is saved then, and nothing remembered.
  func save(
    _ models: [Model], mirroring criteria: Criteria?, keeping kept: [Model], stamp: FetchStamp
  ) async throws
}

extension LedgerRepository {
  /// Finds those to be kept that match, and saves them with the others.
  public func save(
    _ models: [Model], mirroring criteria: Criteria?, keeping kept: [Model], stamp: FetchStamp
  ) async throws {
    var models = models
    if let criteria { models += try await present(kept, for: criteria) }
    try await save(models, mirroring: criteria, stamp: stamp)
  }

  /// Saves what was fetched with the stamp, and leaves alone what the app wrote meanwhile.
  func save(
    _ fetched: FetchedModels<Model>, mirroring criteria: Criteria?, stamp: FetchStamp
  ) async throws {
    let criteria = criteria.map(fetched.criteria)
    guard !fetched.kept.isEmpty else {
      return try await save(fetched.models, mirroring: criteria, stamp: stamp)
    }
    try await save(fetched.models, mirroring: criteria, keeping: fetched.kept, stamp: stamp)
  }
}
