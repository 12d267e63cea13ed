package import Foundation

extension CacheRegistry {
  /// A cache in use, whose type of content the registry does not know.
  package protocol Entry: AnyObject, Sendable {
    var tag: String { get }
    /// The name of its sources' type.
    var sourceName: String { get }
    /// The line of the cache's saves.
    var line: WriteSerializer { get }
    /// What it holds and shows now; nil if it has ended.
    var facts: Facts? { get }
    /// Whether it is observed, and missing, stale, or failed last time; with a date, whether it is
    /// observed.
    func isDue(since date: Date?) -> Bool
    /// Fetches it if it is observed, and missing, stale, or failed last time; with a date, unless it
    /// was fetched after it.
    ///
    /// - Returns: Why it is still due; nil if it is not.
    func fetchObserved(since date: Date?) async -> (any Error)?
    /// Whether it is a list that may have to contain some of these models, and does not.
    func lacks(_ models: any Sendable) -> Bool
    /// Declares it stale.
    func invalidate() async throws
    /// Follows the ledger's clearing of its tag.
    func forget() async
    /// Takes a signal, and returns immediately.
    func receive(_ signal: Signal)
  }

  /// What may happen to caches in use from outside.
  package enum Signal: Sendable {
    /// Other code has written the ledger's record.
    case recorded
    /// The service's changes began to arrive automatically, or ended.
    case liveChanged
    /// A list lacks a model that has arrived automatically.
    case lacking
    /// The model type has another registration, or none: another local repository, service or strategy.
    case registered
    /// The user signs out, and everything that was stored is gone.
    case signedOut
  }

  /// What an entry holds and shows at one moment.
  package struct Facts: Sendable {
    package let record: FetchRecord?
    package let isList: Bool
    package let observers: Int
    package let freshness: Freshness?
    package let isRefreshing: Bool
    package let error: (any Error)?
    /// How many elements the content has; nil for one that is no collection.
    package let count: Int?

    package init(
      record: FetchRecord?, isList: Bool, observers: Int, freshness: Freshness?,
      isRefreshing: Bool, error: (any Error)?, count: Int?
    ) {
      self.record = record
      self.isList = isList
      self.observers = observers
      self.freshness = freshness
      self.isRefreshing = isRefreshing
      self.error = error
      self.count = count
    }
  }
}
