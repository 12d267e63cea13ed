/// The members of all caches, whether Evocation loads them as a whole or page by page.
///
/// Your code takes a ``CacheProviding`` or a ``PagingCacheProviding``; this protocol has the
/// members of both. ``CacheRepository`` describes what they do.
///
/// An extension of it adds a method to both kinds of caches:
///
/// ```swift
/// extension CacheAccess {
///   func pull() async -> Bool {
///     (try? await refresh(force: true)) == .successful
///   }
/// }
/// ```
public protocol CacheAccess<Source>: AnyObject, Sendable {
  /// The source, which says how the cache is fetched, saved and observed.
  associatedtype Source: CacheDataSource

  /// The content of the states.
  associatedtype Shown: Sendable

  /// The states of the cache, as they change.
  associatedtype States: ObservedSequence<CacheState<Shown>>

  /// The requirements: the query whose data are cached; nil until you set it.
  var requirements: Source.Requirements? { get set }

  /// The present state of the cache; nil while it is unknown.
  var state: CacheState<Shown>? { get }

  /// Returns the present state of the cache, and then each later one.
  func observe(forceRefresh: Bool) -> States

  /// Calls back with the present state of the cache, and then with each later one.
  func observe(
    forceRefresh: Bool, callback: @escaping @Sendable (CacheState<Shown>) -> Void
  ) -> Evocation.Observation

  /// Fetches the cache if it is stale, or at any age, and waits until states show it.
  @discardableResult
  func refresh(force: Bool) async throws(CacheError) -> RefreshResult

  /// Fetches the cache if it is missing: never fetched, cleared, or too old to be shown.
  @discardableResult
  func refreshIfNoCache() async throws(CacheError) -> RefreshResult

  /// Fetches the cache if it is missing, stale, or failed last time.
  func validate() async

  /// Saves a value as the content, as if it had just been fetched; nil clears the cache.
  func update(_ cache: Source.Cache?) async throws

  /// Deletes the data, and makes the cache one that was never fetched.
  func clear() async throws

  /// Declares the cache stale; Evocation fetches it again if it is observed.
  func invalidate() async throws

  /// Returns the content of the cache, once.
  func value(from origin: CacheOrigin) async throws -> Source.Cache

  /// Returns the content of the cache, once; nil where ``value(from:)`` throws.
  func valueIfAvailable(from origin: CacheOrigin) async -> Source.Cache?
}

extension CacheAccess {
  /// Returns the present state of the cache, and then each later one.
  public func observe() -> States { observe(forceRefresh: false) }

  /// Calls back with the present state of the cache, and then with each later one.
  public func observe(
    callback: @escaping @Sendable (CacheState<Shown>) -> Void
  ) -> Evocation.Observation {
    observe(forceRefresh: false, callback: callback)
  }

  /// Fetches the cache if it is stale, and waits until states show it.
  @discardableResult
  public func refresh() async throws(CacheError) -> RefreshResult {
    try await refresh(force: false)
  }

  /// Fetches the cache at any age, and returns an error as the result.
  func pulled() async -> RefreshResult {
    do throws(CacheError) {
      return try await refresh(force: true)
    } catch {
      return .failed(error)
    }
  }

  /// Observes on the main actor until the task is canceled or the closure returns false.
  @MainActor
  func following(
    forceRefresh: Bool, _ take: @escaping @MainActor (CacheState<Shown>) -> Bool
  ) -> Task<Void, Never> {
    let states = observe(forceRefresh: forceRefresh)
    return Task {
      for await state in states {
        guard take(state) else { return }
      }
    }
  }

  /// Returns the fresh content of the cache, or else fetches it.
  public func value() async throws -> Source.Cache { try await value(from: .both) }

  /// Returns the fresh content, or else fetches it; nil where ``value(from:)`` throws.
  public func valueIfAvailable() async -> Source.Cache? { await valueIfAvailable(from: .both) }
}

/// A cache: a ``CacheRepository``, or the mock that replaces it in tests.
///
/// Let code that shows or changes cached data take this protocol, so that a test can pass a mock:
///
/// ```swift
/// struct CarList {
///   let cars: any CacheProviding<ProxyCacheDataSource<Car>>
///
///   func show(carsOf year: Int) async throws -> [Car] {
///     cars.requirements = ["year": year]
///     return try await cars.value()
///   }
/// }
/// ```
///
/// The members are those of ``CacheAccess``, as ``CacheRepository`` describes them.
public protocol CacheProviding<Source>: CacheAccess where Shown == Source.Cache {}

extension CacheRepository: CacheProviding {}

/// A list: a ``PagingCacheRepository``, or the mock that replaces it in tests.
///
/// ```swift
/// struct CarPages {
///   let cars: any PagingCacheProviding<CarListSource>
///
///   func scrolledToEnd() async -> String? {
///     guard case .failed(let error) = await cars.goToNextPage() else { return nil }
///     return "\(error)"
///   }
/// }
/// ```
///
/// ``PagingCacheRepository`` describes the members.
public protocol PagingCacheProviding<Source>: CacheAccess
where Source: PagingCacheDataSource, Shown == PagedCache<Source.Cache> {
  /// Loads the page after the list, and waits until states show it.
  @discardableResult
  func goToNextPage(continueWhenError: Bool) async -> PageResult

  /// Loads the page before the list, and waits until states show it.
  @discardableResult
  func goToPreviousPage(continueWhenError: Bool) async -> PageResult

  /// How many rows before the end of the list the next page is loaded.
  var prefetchDistance: Int { get }

  /// Loads the page that a row in a view is near enough to, and returns immediately.
  func rowAppeared(at index: Int)
}

extension PagingCacheProviding {
  /// Loads the page after the list, again if it failed last time.
  @discardableResult
  public func goToNextPage() async -> PageResult { await goToNextPage(continueWhenError: true) }

  /// Loads the page before the list, again if it failed last time.
  @discardableResult
  public func goToPreviousPage() async -> PageResult {
    await goToPreviousPage(continueWhenError: true)
  }
}

extension PagingCacheRepository: PagingCacheProviding {}
