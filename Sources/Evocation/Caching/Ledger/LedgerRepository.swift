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
}
