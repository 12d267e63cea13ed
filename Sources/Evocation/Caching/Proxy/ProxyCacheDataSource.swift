/// The proxy of a model type, seen as a cache.
///
/// The remote repository's `find` is the fetch, the local repository holds what is cached, and is what
/// is observed. A repository of it is made by
/// ``Evocation/cache(for:maxAge:maxUsableAge:limits:saving:automaticallyRefresh:)-method``.
///
/// - What is fetched is saved in place of what local has for the criteria, or beside it.
/// - Models that the app writes through Evocation during a fetch stay as the app wrote them: they
///   are neither overwritten nor removed, and do not come back. What the remote alone wrote is saved
///   as it answered the write.
/// - Models that are not `Identifiable` cannot be told apart. Where some were written during a fetch
///   it is made again, up to three times, and then saved.
/// - The find rule's timeout and retries hold for the fetch, where its target is remote.
/// - A local repository that keeps a ledger, as the one on SQLite does, saves and stamps in one
///   transaction.
/// - A local repository that is not observable is read again after each fetch.
public struct ProxyCacheDataSource<Model: Sendable>: CacheDataSource {
  /// How what was fetched is saved.
  public enum Saving: String, Sendable, Hashable, Codable {
    /// In place of what local has for the criteria: what the service no longer has is removed.
    case mirror
    /// Beside what local has for the criteria.
    case upsert
  }

  /// What a fetch gave, and how the app's writes stood when it began.
  public struct FetchResult: Sendable {
    /// The models, in the order of the answer.
    public let models: [Model]
    let mark: WriteLog<Model>.Mark
  }

  /// How old the cache may be and count as fresh.
  public let maxAge: Duration?

  /// How old the cache may be and be shown.
  public let maxUsableAge: Duration?

  /// How much is kept of what nobody observes.
  public let limits: CacheLimits

  /// How what was fetched is saved.
  public let saving: Saving

  /// Whether a stale or missing cache is fetched by itself.
  public let automaticallyRefresh: Bool

  let evocation: Evocation

  init(
    _ evocation: Evocation, maxAge: Duration?, maxUsableAge: Duration?, limits: CacheLimits,
    saving: Saving, automaticallyRefresh: Bool
  ) {
    self.evocation = evocation
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.limits = limits
    self.saving = saving
    self.automaticallyRefresh = automaticallyRefresh
  }

  /// Whether there is a remote repository; a model that is not registered is told by the fetch.
  public var canFetch: Bool { (try? proxy)?.wiring.hasRemote ?? true }

  /// The ledger in the local repository's store, or else the configuration's.
  public var ledger: (any FetchLedger)? {
    (try? proxy)?.ledger ?? evocation.environment.ledger
  }

  /// The model type's name with its module, and a question mark.
  public var tagPrefix: String { Self.tagPrefix }

  static var tagPrefix: String { "\(String(reflecting: Model.self))?" }

  /// The model type's name, and the criteria.
  public func tag(for requirements: Criteria) -> String { tagPrefix + requirements.tag }

  /// The models that were fetched.
  public func content(of fetched: FetchResult) -> [Model]? { fetched.models }

  var proxy: Proxy<Model> {
    get throws(EvocationError) { try evocation.proxy(for: Model.self) }
  }
}
