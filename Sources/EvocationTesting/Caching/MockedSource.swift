import Evocation

/// The storage of a ``SourceMock``: its settings, its closures and how it was used.
///
/// It is made by the mocks; nothing of it is for a test to use. Safe to use from any thread.
public final class MockedSource<Cache: Sendable, Calls: Sendable, Closures: Sendable>: Sendable {
  /// How the source is set.
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

  /// Notes a use of a member, and gives what it plays.
  func note<Arguments, Closure>(
    _ calls: WritableKeyPath<Calls, MockCalls<Arguments>>, _ arguments: Arguments,
    _ closure: KeyPath<Closures, Closure?>
  ) -> Closure? {
    state.withLock { state in
      state.calls[keyPath: calls].invocations.append(arguments)
      return state.closures[keyPath: closure]
    }
  }

  /// Notes that a member has nothing to answer.
  func failure(_ member: String, _ closure: String) -> MockFailure {
    let failure = MockFailure(mock: name, member: member, closure: "closures.\(closure)")
    state.withLock { $0.failures.append(failure) }
    onFailure?(failure)
    return failure
  }

  /// What is held, where what is fetched can be.
  func observeHeld<Fetched>(_ tag: String, _ fetched: Fetched.Type) -> MockStore<Cache>.Stream {
    guard Fetched.self is Cache.Type else {
      let failure = failure("observeCache(_:)", "observeCache")
      return MockStore<Cache>.Stream { $0.finish(throwing: failure) }
    }
    return store.stream(tag)
  }
}
