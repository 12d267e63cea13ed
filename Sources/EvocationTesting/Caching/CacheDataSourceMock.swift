public import Evocation

/// A source under a real `CacheRepository`: it answers with your test's closure.
///
/// ```swift
/// let source = CacheDataSourceMock<[Car], Criteria> { _ in [car] }
/// let cars = CacheRepository(source, ledger: InMemoryFetchLedger())
/// cars.requirements = ["year": 1980]
/// #expect(try await cars.value() == [car])
/// #expect(source.calls == [.fetch(["year": 1980]), .save([car], ["year": 1980])])
/// ```
///
/// The mock records each call, and stores saved data in memory. Your closure may throw, or wait at
/// a ``Gate``. Safe to use from any thread.
public final class CacheDataSourceMock<
  Cache: Sendable, Requirements: CacheRequirements
>: CacheDataSource {
  /// How old the stored data may be and still count as fresh.
  public let maxAge: Duration?

  /// How old the stored data may be and still be shown during a refresh.
  public let maxUsableAge: Duration?

  /// Whether an observed cache is fetched when it is stale or missing.
  public let automaticallyRefresh: Bool

  private let store = MockStore<Cache>()
  private let recorded = Lock<[SourceCall<Requirements, Cache, Never>]>([])
  private let fetch: @Sendable (Requirements) async throws -> Cache
  private let onCall: (@Sendable (SourceCall<Requirements, Cache, Never>) async throws -> Void)?

  /// Creates a mock that stores nothing yet.
  ///
  /// `fetch` answers each fetch. `onCall` runs before each save and deletion, which throws its error.
  public init(
    maxAge: Duration? = nil, maxUsableAge: Duration? = nil, automaticallyRefresh: Bool = true,
    fetch: @escaping @Sendable (Requirements) async throws -> Cache,
    onCall: (@Sendable (SourceCall<Requirements, Cache, Never>) async throws -> Void)? = nil
  ) {
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.automaticallyRefresh = automaticallyRefresh
    self.fetch = fetch
    self.onCall = onCall
  }

  /// The calls so far, in order.
  public var calls: [SourceCall<Requirements, Cache, Never>] { recorded.withLock { $0 } }

  /// Returns the stored data.
  public func held(_ requirements: Requirements) -> Cache? { store.held(requirements.tag) }

  /// Changes the stored data, as if other code had saved them.
  public func send(_ cache: Cache, requirements: Requirements) {
    store.hold(cache, requirements.tag)
  }

  /// Runs the closure that answers a fetch.
  public func fetchFreshCache(_ requirements: Requirements) async throws -> Cache {
    recorded.withLock { $0.append(.fetch(requirements)) }
    return try await fetch(requirements)
  }

  /// Stores the data.
  public func saveCache(_ fetched: Cache, requirements: Requirements) async throws {
    try await record(.save(fetched, requirements))
    store.hold(fetched, requirements.tag)
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

  private func record(_ call: SourceCall<Requirements, Cache, Never>) async throws {
    recorded.withLock { $0.append(call) }
    try await onCall?(call)
  }
}
