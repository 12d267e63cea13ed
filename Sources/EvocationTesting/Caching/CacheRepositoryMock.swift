public import Evocation

/// A cache that answers as a test tells it, and remembers how it was used.
///
/// ```swift
/// let cars = CacheRepositoryMock<ProxyCacheDataSource<Car>>()
/// cars.closures.value = { _ in [car] }
/// let list = CarList(cars: cars)
/// #expect(try await list.show(carsOf: 1980) == [car])
/// #expect(cars.calls.requirements.callsCount == 1)
/// #expect(cars.calls.value.invocations == [.both])
/// ```
///
/// It has no source, so nothing is ever fetched or saved. Each use is recorded in ``calls``, failed
/// ones too. A member that throws without requirements in `CacheRepository` throws here as well.
/// One that must answer and has no closure fails with a ``MockFailure`` that names the closure; it
/// is recorded in ``failures``. Safe to use from any thread.
///
/// Observers are shown what the test sends with ``send(_:)``, until it calls ``finish()``; the mock
/// needs no requirements for that.
public final class CacheRepositoryMock<Source: CacheDataSource>: CacheProviding {
  private struct State {
    var requirements: Source.Requirements?
    var calls = Calls()
    var closures = Closures()
    var failures: [MockFailure] = []
  }

  let stage = MockStage<CacheState<Source.Cache>>()
  private let name: String
  private let played = Lock(State())
  private let onFailure: (@Sendable (MockFailure) -> Void)?

  /// Makes a mock without requirements and closures.
  ///
  /// - Parameter onFailure: Called at once with each failure; a test may record it as an issue.
  public convenience init(onFailure: (@Sendable (MockFailure) -> Void)? = nil) {
    self.init(name: "\(Self.self)", onFailure: onFailure)
  }

  init(name: String, onFailure: (@Sendable (MockFailure) -> Void)?) {
    self.name = name
    self.onFailure = onFailure
  }

  deinit { stage.finish() }

  /// What the cache is asked for; each setting is in ``calls``.
  public var requirements: Source.Requirements? {
    get { played.withLock { $0.requirements } }
    set {
      let old = played.withLock { state in
        let old = state.requirements
        state.requirements = newValue
        state.calls.requirements.invocations.append(newValue)
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// The state that was sent last; nil before the first.
  public var state: CacheState<Source.Cache>? { stage.present }

  /// How each member was used so far.
  public var calls: Calls { played.withLock { $0.calls } }

  /// The closures that the members run.
  public var closures: Closures {
    get { played.withLock { $0.closures } }
    set {
      let old = played.withLock { played in
        let old = played.closures
        played.closures = newValue
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// The calls that had no closure to answer them, in order.
  public var failures: [MockFailure] { played.withLock { $0.failures } }

  /// Forgets the recorded calls and failures; requirements, closures and the present state stay.
  public func resetCalls() {
    let old = played.withLock { played in
      let old = played.calls
      played.calls = Calls()
      played.failures = []
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Shows a state to all observers; those who observe later begin with it.
  public func send(_ state: CacheState<Source.Cache>) {
    stage.send(state)
  }

  /// Ends every observation, as when a repository goes away; later ones end after the last state.
  public func finish() {
    stage.finish()
  }

  /// Waits until so many observations have begun since the mock was made.
  ///
  /// - Returns: Whether they have; false when the task was cancelled before.
  @discardableResult
  public func observations(_ count: Int) async -> Bool {
    await stage.observations.reach(count)
  }

  /// Records a use of a member, and gives the closure to run.
  func note<Arguments, Closure>(
    _ calls: WritableKeyPath<Calls, MockCalls<Arguments>>, _ arguments: Arguments,
    _ closure: KeyPath<Closures, Closure?>
  ) -> Closure? {
    played.withLock { state in
      state.calls[keyPath: calls].invocations.append(arguments)
      return state.closures[keyPath: closure]
    }
  }

  /// Records that a member was used without a closure to answer it.
  func failure(_ member: String, _ closure: String) -> MockFailure {
    let failure = MockFailure(mock: name, member: member, closure: "closures.\(closure)")
    played.withLock { $0.failures.append(failure) }
    onFailure?(failure)
    return failure
  }

  /// Throws what a repository throws as long as its requirements are not set.
  func requireRequirements() throws(CacheError) {
    guard requirements == nil else { return }
    throw .requirementsNotSet(cache: "\(Source.Cache.self)")
  }
}

extension CacheRepositoryMock {
  /// How each member was used.
  public struct Calls: Sendable {
    /// What the requirements were set to.
    public internal(set) var requirements = MockCalls<Source.Requirements?>()

    /// Whether each observation forced a refresh.
    public internal(set) var observe = MockCalls<Bool>()

    /// Whether each refresh was forced.
    public internal(set) var refresh = MockCalls<Bool>()

    /// The calls of `refreshIfNoCache()`.
    public internal(set) var refreshIfNoCache = MockCalls<Void>()

    /// The calls of `validate()`.
    public internal(set) var validate = MockCalls<Void>()

    /// What each `update(_:)` was given.
    public internal(set) var update = MockCalls<Source.Cache?>()

    /// The calls of `clear()`.
    public internal(set) var clear = MockCalls<Void>()

    /// The calls of `invalidate()`.
    public internal(set) var invalidate = MockCalls<Void>()

    /// The origin that each `value(from:)` was given.
    public internal(set) var value = MockCalls<CacheOrigin>()

    /// The origin that each `valueIfAvailable(from:)` was given.
    public internal(set) var valueIfAvailable = MockCalls<CacheOrigin>()

    /// How often any member was used.
    public var callsCount: Int {
      [
        requirements.callsCount, observe.callsCount, refresh.callsCount,
        refreshIfNoCache.callsCount, validate.callsCount, update.callsCount, clear.callsCount,
        invalidate.callsCount, value.callsCount, valueIfAvailable.callsCount,
      ].reduce(0, +)
    }

    /// Whether any member was used.
    public var called: Bool { callsCount > 0 }
  }
}

extension CacheRepositoryMock {
  /// The closures that the members run.
  ///
  /// Members that return nothing need no closure. Set closures before the code under test runs.
  public struct Closures: Sendable {
    /// Gives the states, in place of those that the test sends.
    public var observe:
      (@Sendable (_ forceRefresh: Bool) -> any AsyncSequence<CacheState<Source.Cache>, Never>)?

    /// Answers a refresh; an error that it throws is the error of the fetch.
    public var refresh: (@Sendable (_ force: Bool) async throws -> RefreshResult)?

    /// Answers a refresh of what was never fetched.
    public var refreshIfNoCache: (@Sendable () async throws -> RefreshResult)?

    /// Runs when the cache is validated.
    public var validate: (@Sendable () async -> Void)?

    /// Receives what is put into the cache.
    public var update: (@Sendable (Source.Cache?) async throws -> Void)?

    /// Runs when the cache is cleared.
    public var clear: (@Sendable () async throws -> Void)?

    /// Runs when the cache is declared stale.
    public var invalidate: (@Sendable () async throws -> Void)?

    /// Gives the value.
    public var value: (@Sendable (CacheOrigin) async throws -> Source.Cache)?

    /// Gives the value, or nil.
    public var valueIfAvailable: (@Sendable (CacheOrigin) async -> Source.Cache?)?
  }
}
