public import Evocation

/// A mock of a cache that is loaded as a whole: it replaces a `CacheRepository`.
///
/// ```swift
/// let cars = CacheRepositoryMock<ProxyCacheDataSource<Car>>()
/// cars.onValue = { _ in [car] }
/// let list = CarList(cars: cars)
/// #expect(try await list.show(carsOf: 1980) == [car])
/// #expect(cars.calls == [.requirements(["year": 1980]), .value(from: .both)])
/// ```
public typealias CacheRepositoryMock<Source: CacheDataSource> = CacheMock<Source, Source.Cache>

/// A mock of a list that is loaded page by page: it replaces a `PagingCacheRepository`.
///
/// ```swift
/// let cars = PagingCacheRepositoryMock<CarListSource>()
/// cars.onPage = { _ in .failed(Offline()) }
/// cars.requirements = "cars"
/// #expect(await CarPages(cars: cars).scrolledToEnd() == "Offline()")
/// #expect(cars.calls.last == .goToNextPage(continueWhenError: true))
/// ```
public typealias PagingCacheRepositoryMock<Source: PagingCacheDataSource> =
  CacheMock<Source, PagedCache<Source.Cache>>

/// Records the calls of a cache, and answers them with your test's closures.
///
/// You write ``CacheRepositoryMock`` or ``PagingCacheRepositoryMock``, and not this type. The mock
/// has no source, so it never fetches and never saves. It records each call in ``calls``, also one
/// that fails. Without requirements (the query) it fails with
/// `CacheError.requirementsNotSet(cache:)`, as a repository does.
///
/// Refreshes, values and pages need a closure. Without one they fail with a ``MockFailure``, which
/// is also in ``failures``. Your test sends the states with ``send(_:)``. Safe to use from any
/// thread.
///
/// ```swift
/// let departures = CacheRepositoryMock<DepartureSource>()
/// departures.onValue = { _ in [chur] }
/// let screen = DepartureScreen(departures: departures)
/// #expect(try await screen.destinations(from: "Berne") == ["Chur"])
/// ```
public final class CacheMock<Source: CacheDataSource, Shown: Sendable>: CacheAccess {
  /// A recorded call.
  public typealias Recorded = CacheCall<Source.Requirements, Source.Cache>

  /// A closure that answers a call.
  public typealias Answering<Answer> = @Sendable (Recorded) async throws -> Answer

  private struct State {
    var requirements: Source.Requirements?
    var calls: [Recorded] = []
    var failures: [MockFailure] = []
    var prefetchDistance = 10
    var onRefresh: Answering<RefreshResult>?
    var onValue: Answering<Source.Cache>?
    var onPage: Answering<PageResult>?
    var onCall: Answering<Void>?
  }

  private let store = MockStore<CacheState<Shown>>()
  private let mocked = Lock(State())
  private let onFailure: (@Sendable (MockFailure) -> Void)?

  /// Creates a mock without requirements and closures.
  ///
  /// - Parameter onFailure: The mock calls it immediately with each failure, which your test may
  ///   record as an issue.
  public init(onFailure: (@Sendable (MockFailure) -> Void)? = nil) {
    self.onFailure = onFailure
  }

  deinit { store.close() }

  /// The query of the cache.
  ///
  /// The mock records each value that your code sets.
  public var requirements: Source.Requirements? {
    get { mocked.withLock { $0.requirements } }
    set {
      record(.requirements(newValue))
      replace(\.requirements, newValue)
    }
  }

  /// The calls so far, in order.
  public var calls: [Recorded] { mocked.withLock { $0.calls } }

  /// The calls that had no closure to answer them, in order.
  public var failures: [MockFailure] { mocked.withLock { $0.failures } }

  /// Answers `refresh(force:)` and `refreshIfNoCache()`.
  ///
  /// An error that it throws, other than a `CacheError`, is the result's error.
  public var onRefresh: Answering<RefreshResult>? {
    get { mocked.withLock { $0.onRefresh } }
    set { replace(\.onRefresh, newValue) }
  }

  /// Answers `value(from:)` and `valueIfAvailable(from:)`, which returns nil for an error.
  public var onValue: Answering<Source.Cache>? {
    get { mocked.withLock { $0.onValue } }
    set { replace(\.onValue, newValue) }
  }

  /// Runs for `update(_:)`, `clear()` and `invalidate()`, which throw its error, and `validate()`.
  public var onCall: Answering<Void>? {
    get { mocked.withLock { $0.onCall } }
    set { replace(\.onCall, newValue) }
  }

  /// The state that your test sent last; nil before the first.
  public var state: CacheState<Shown>? { store.held("") }

  /// Shows a state to all observers.
  ///
  /// A later observer receives it first.
  public func send(_ state: CacheState<Shown>) { store.hold(state, "") }

  /// Ends every observation.
  ///
  /// A later observation ends after the latest state.
  public func finish() { store.close() }

  /// Waits until this many observations have begun since your test created the mock.
  ///
  /// - Returns: Whether they have begun; false when the task was canceled before.
  @discardableResult
  public func observations(_ count: Int) async -> Bool { await store.observations.reach(count) }

  /// How many observations there are now.
  package var observerCount: Int { store.observerCount }
}

extension CacheMock {
  /// Returns the states that your test sends.
  ///
  /// Observing begins with the first iteration.
  public func observe(forceRefresh: Bool) -> some ObservedSequence<CacheState<Shown>> {
    record(.observe(forceRefresh: forceRefresh))
    return MockStates(store: store)
  }

  /// Calls back with the states that your test sends.
  public func observe(
    forceRefresh: Bool, callback: @escaping @Sendable (CacheState<Shown>) -> Void
  ) -> Evocation.Observation {
    let states = observe(forceRefresh: forceRefresh)
    let task = Task {
      for await state in states where !Task.isCancelled { callback(state) }
    }
    return Evocation.Observation { task.cancel() }
  }

  /// Runs ``onRefresh``.
  @discardableResult
  public func refresh(force: Bool) async throws(CacheError) -> RefreshResult {
    try await refreshed(.refresh(force: force))
  }

  /// Runs ``onRefresh``.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    try await refreshed(.refreshIfNoCache)
  }

  /// Runs ``onCall``, if your test set it.
  public func validate() async {
    record(.validate)
    try? await onCall?(.validate)
  }

  /// Runs ``onCall``, if your test set it.
  public func update(_ cache: Source.Cache?) async throws { try await write(.update(cache)) }

  /// Runs ``onCall``, if your test set it.
  public func clear() async throws { try await write(.clear) }

  /// Runs ``onCall``, if your test set it.
  public func invalidate() async throws { try await write(.invalidate) }

  /// Runs ``onValue``.
  public func value(from origin: CacheOrigin) async throws -> Source.Cache {
    try await answer(.value(from: origin), onValue, name: "onValue")
  }

  /// Runs ``onValue``, and returns nil where that throws.
  public func valueIfAvailable(from origin: CacheOrigin) async -> Source.Cache? {
    try? await answer(.valueIfAvailable(from: origin), onValue, name: "onValue")
  }
}

extension CacheMock: CacheProviding where Shown == Source.Cache {}

extension CacheMock: PagingCacheProviding
where Source: PagingCacheDataSource, Shown == PagedCache<Source.Cache> {
  /// Answers `goToNextPage` and `goToPreviousPage`.
  ///
  /// An error that it throws is the result's.
  public var onPage: Answering<PageResult>? {
    get { mocked.withLock { $0.onPage } }
    set { replace(\.onPage, newValue) }
  }

  /// How many rows before the end of the list your app reports a row; 10 by default.
  public var prefetchDistance: Int {
    get { mocked.withLock { $0.prefetchDistance } }
    set { mocked.withLock { $0.prefetchDistance = newValue } }
  }

  /// Runs ``onPage``.
  @discardableResult
  public func goToNextPage(continueWhenError: Bool) async -> PageResult {
    await page(.goToNextPage(continueWhenError: continueWhenError))
  }

  /// Runs ``onPage``.
  @discardableResult
  public func goToPreviousPage(continueWhenError: Bool) async -> PageResult {
    await page(.goToPreviousPage(continueWhenError: continueWhenError))
  }

  /// Records the row.
  public func rowAppeared(at index: Int) { record(.rowAppeared(at: index)) }

  private func page(_ call: Recorded) async -> PageResult {
    do {
      return try await answer(call, onPage, name: "onPage")
    } catch is CancellationError {
      return .skipped(.cancelled)
    } catch {
      return .failed(error)
    }
  }
}

extension CacheMock {
  private func record(_ call: Recorded) {
    mocked.withLock { $0.calls.append(call) }
  }

  /// Sets a property.
  private func replace<Value>(_ property: WritableKeyPath<State, Value>, _ value: Value) {
    mocked.change { state in
      defer { state[keyPath: property] = value }
      return state[keyPath: property]
    }
  }

  private func requireRequirements() throws(CacheError) {
    guard requirements == nil else { return }
    throw .requirementsNotSet(cache: "\(Source.Cache.self)")
  }

  private func write(_ call: Recorded) async throws {
    record(call)
    try requireRequirements()
    try await onCall?(call)
  }

  private func answer<Answer>(
    _ call: Recorded, _ closure: Answering<Answer>?, name: String
  ) async throws -> Answer {
    record(call)
    try requireRequirements()
    if let closure { return try await closure(call) }
    let mock = Shown.self == Source.Cache.self ? "CacheRepositoryMock" : "PagingCacheRepositoryMock"
    let failure = MockFailure(mock: "\(mock)<\(Source.self)>", member: call.name, closure: name)
    mocked.withLock { $0.failures.append(failure) }
    onFailure?(failure)
    throw failure
  }

  private func refreshed(_ call: Recorded) async throws(CacheError) -> RefreshResult {
    do {
      return try await answer(call, onRefresh, name: "onRefresh")
    } catch let error as CacheError {
      throw error
    } catch is CancellationError {
      return .skipped(.cancelled)
    } catch {
      return .failed(error)
    }
  }
}
