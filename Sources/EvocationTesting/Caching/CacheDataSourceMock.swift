public import Evocation

/// A source under a real `CacheRepository`: it answers with your test's closure.
///
/// ```swift
/// let source = CacheDataSourceMock<[Car], Criteria, [Car]> { _ in [car] }
/// let cars = CacheRepository(source, ledger: InMemoryFetchLedger())
/// cars.requirements = ["year": 1980]
/// #expect(try await cars.value() == [car])
/// #expect(source.calls == [.fetch(["year": 1980]), .save([car], ["year": 1980])])
/// ```
///
/// The mock records each call, and stores saved data in memory. Your closure may throw, or wait at
/// a ``Gate``. Safe to use from any thread.
public final class CacheDataSourceMock<
  Cache: Sendable, Requirements: CacheRequirements, FetchResult: Sendable
>: CacheDataSource {
  /// How old the stored data may be and still count as fresh.
  public let maxAge: Duration?

  /// How old the stored data may be and still be shown during a refresh.
  public let maxUsableAge: Duration?

  /// Whether an observed cache is fetched when it is stale or missing.
  public let automaticallyRefresh: Bool

  private let store = MockStore<Cache>()
  private let recorded = Lock<[SourceCall<Requirements, FetchResult, Never>]>([])
  private let cache: @Sendable (FetchResult) -> Cache
  private let fetch: @Sendable (Requirements) async throws -> FetchResult
  private let onCall:
    (@Sendable (SourceCall<Requirements, FetchResult, Never>) async throws -> Void)?

  /// Creates a mock that stores nothing yet.
  ///
  /// - Parameters:
  ///   - maxAge: How old the stored data may be and still count as fresh.
  ///   - maxUsableAge: How old the stored data may be and still be shown during a refresh.
  ///   - automaticallyRefresh: Whether an observed cache is fetched when it is stale or missing.
  ///   - cache: Makes the cache from what a fetch returned.
  ///   - fetch: Answers a fetch.
  ///   - onCall: Runs before each save and each deletion, which throws its error.
  public init(
    maxAge: Duration? = nil, maxUsableAge: Duration? = nil, automaticallyRefresh: Bool = true,
    cache: @escaping @Sendable (FetchResult) -> Cache,
    fetch: @escaping @Sendable (Requirements) async throws -> FetchResult,
    onCall: (@Sendable (SourceCall<Requirements, FetchResult, Never>) async throws -> Void)? = nil
  ) {
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.automaticallyRefresh = automaticallyRefresh
    self.cache = cache
    self.fetch = fetch
    self.onCall = onCall
  }

  /// Creates a mock whose fetches return the cache itself.
  public convenience init(
    maxAge: Duration? = nil, maxUsableAge: Duration? = nil, automaticallyRefresh: Bool = true,
    fetch: @escaping @Sendable (Requirements) async throws -> FetchResult,
    onCall: (@Sendable (SourceCall<Requirements, FetchResult, Never>) async throws -> Void)? = nil
  ) where FetchResult == Cache {
    self.init(
      maxAge: maxAge, maxUsableAge: maxUsableAge, automaticallyRefresh: automaticallyRefresh,
      cache: { $0 }, fetch: fetch, onCall: onCall)
  }

  /// The calls so far, in order.
  public var calls: [SourceCall<Requirements, FetchResult, Never>] { recorded.withLock { $0 } }

  /// Returns the stored data.
  public func held(_ requirements: Requirements) -> Cache? { store.held(requirements.tag) }

  /// Changes the stored data, as if other code had saved them.
  public func send(_ cache: Cache, requirements: Requirements) {
    store.hold(cache, requirements.tag)
  }

  /// Ends the observations of these requirements, with an error if you pass one.
  public func finish(_ requirements: Requirements, throwing error: (any Error)? = nil) {
    store.finish(requirements.tag, throwing: error)
  }

  /// Waits until this many observations have begun; false when the task was canceled.
  @discardableResult
  public func observations(_ count: Int) async -> Bool { await store.observations.reach(count) }
}

extension CacheDataSourceMock {
  /// Runs the closure that answers a fetch.
  public func fetchFreshCache(_ requirements: Requirements) async throws -> FetchResult {
    recorded.withLock { $0.append(.fetch(requirements)) }
    return try await fetch(requirements)
  }

  /// Stores the data.
  public func saveCache(_ fetched: FetchResult, requirements: Requirements) async throws {
    try await record(.save(fetched, requirements))
    store.hold(cache(fetched), requirements.tag)
  }

  /// Deletes the stored data.
  public func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws
  {
    try await record(.delete(requirements))
    store.hold(nil, requirements.tag)
  }

  /// Returns the stored data, now and after each change.
  public func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error> {
    store.stream(requirements.tag)
  }

  /// Returns whether a collection is empty; false for other data.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool {
    (cache as? any Collection)?.isEmpty ?? false
  }

  private func record(_ call: SourceCall<Requirements, FetchResult, Never>) async throws {
    recorded.withLock { $0.append(call) }
    try await onCall?(call)
  }
}
