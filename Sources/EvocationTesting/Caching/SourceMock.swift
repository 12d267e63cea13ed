public import Evocation

/// What ``CacheDataSourceMock`` and ``PagingCacheDataSourceMock`` have in common.
///
/// Safe to use from any thread.
public protocol SourceMock<Cache>: AnyObject, CacheDataSource {
  /// How each member was used.
  associatedtype Calls: Sendable

  /// The closures that the members run.
  associatedtype Closures: Sendable

  /// The mock's settings, closures and recorded calls.
  var base: MockedSource<Cache, Calls, Closures> { get }
}

extension SourceMock {
  /// How old what is held may be and still count as fresh.
  public var maxAge: Duration? {
    get { base.settings.maxAge }
    set { base.settings.maxAge = newValue }
  }

  /// How old what is held may be and still be shown while it is refreshed.
  public var maxUsableAge: Duration? {
    get { base.settings.maxUsableAge }
    set { base.settings.maxUsableAge = newValue }
  }

  /// Whether what is stale or missing is fetched when it is observed.
  public var automaticallyRefresh: Bool {
    get { base.settings.automaticallyRefresh }
    set { base.settings.automaticallyRefresh = newValue }
  }

  /// How each member was used so far.
  public var calls: Calls { base.calls }

  /// The closures that the members run.
  public var closures: Closures {
    get { base.closures }
    set { base.closures = newValue }
  }

  /// The calls that had no closure to answer them, in order.
  public var failures: [MockFailure] { base.failures }

  /// Forgets the recorded calls and failures; closures and what is held stay.
  public func resetCalls() { base.resetCalls() }

  /// Holds a cache and shows it to the observers, as if other code had saved it.
  public func send(_ cache: Cache, requirements: Requirements) {
    base.store.hold(cache, requirements.tag)
  }

  /// What is held for these requirements.
  public func held(_ requirements: Requirements) -> Cache? { base.store.held(requirements.tag) }

  /// Ends the streams of these requirements, with an error if one is given.
  public func finish(_ requirements: Requirements, throwing error: (any Error)? = nil) {
    base.store.finish(requirements.tag, throwing: error)
  }

  /// Waits until this many streams have begun; false when the task was cancelled.
  @discardableResult
  public func observations(_ count: Int) async -> Bool {
    await base.store.observations.reach(count)
  }
}

/// The storage of a ``SourceMock``: its settings, its closures and how it was used.
///
/// The mocks make it; a test has no use for it. Safe to use from any thread.
public final class MockedSource<Cache: Sendable, Calls: Sendable, Closures: Sendable>: Sendable {
  /// What can be set for the source.
  struct Settings: Sendable {
    var maxAge: Duration?
    var maxUsableAge: Duration?
    var automaticallyRefresh: Bool
  }

  private struct State {
    var calls: Calls
    var closures: Closures
    var settings: Settings
    var failures: [MockFailure] = []
  }

  let store = MockStore<Cache>()
  private let name: String
  private let unused: Calls
  private let state: Lock<State>
  private let onFailure: (@Sendable (MockFailure) -> Void)?

  init(
    _ name: String, _ unused: Calls, _ closures: Closures, _ settings: Settings,
    onFailure: (@Sendable (MockFailure) -> Void)?
  ) {
    self.name = name
    self.unused = unused
    self.onFailure = onFailure
    state = Lock(State(calls: unused, closures: closures, settings: settings))
  }

  var settings: Settings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  var calls: Calls { state.withLock { $0.calls } }

  var closures: Closures {
    get { state.withLock { $0.closures } }
    set { state.withLock { $0.closures = newValue } }
  }

  var failures: [MockFailure] { state.withLock { $0.failures } }

  func resetCalls() {
    state.withLock { state in
      state.calls = unused
      state.failures = []
    }
  }

  /// Records a use of a member, and gives the closure to run.
  func note<Arguments, Closure>(
    _ calls: WritableKeyPath<Calls, MockCalls<Arguments>>, _ arguments: Arguments,
    _ closure: KeyPath<Closures, Closure?>
  ) -> Closure? {
    state.withLock { state in
      state.calls[keyPath: calls].invocations.append(arguments)
      return state.closures[keyPath: closure]
    }
  }

  /// Records that a member was used without a closure to answer it.
  func failure(_ member: String, _ closure: String) -> MockFailure {
    let failure = MockFailure(mock: name, member: member, closure: "closures.\(closure)")
    state.withLock { $0.failures.append(failure) }
    onFailure?(failure)
    return failure
  }

  /// What is held, as it changes; fails where a fetch gives another type than the cache.
  func observeHeld<Fetched>(_ tag: String, _ fetched: Fetched.Type) -> MockStore<Cache>.Stream {
    guard Fetched.self is Cache.Type else {
      let failure = failure("observeCache(_:)", "observeCache")
      return MockStore<Cache>.Stream { $0.finish(throwing: failure) }
    }
    return store.stream(tag)
  }
}
