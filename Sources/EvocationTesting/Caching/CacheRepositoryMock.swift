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
/// It has no source, so nothing is ever fetched or saved. Each use is in ``calls``, whatever came of
/// it. A member that throws without requirements in `CacheRepository` throws here too. One that
/// has to answer and has no closure fails with a ``MockFailure`` that names the closure, which is
/// also in ``failures``. Safe to use from any thread.
///
/// What is observed is sent by hand with ``send(_:)`` and ``finish()``, with requirements or without.
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
  /// - Parameter onFailure: Is told of each failure at once; a test may record it as an issue.
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

  /// What each member plays.
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

  /// Forgets how it was used; requirements, closures and the present state stay.
  public func resetCalls() {
    let old = played.withLock { played in
      let old = played.calls
      played.calls = Calls()
      played.failures = []
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Shows a state to all observers, and as the first one to those who observe later.
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

  /// Notes a use of a member, and gives what it plays.
  func note<Arguments, Closure>(
    _ calls: WritableKeyPath<Calls, MockCalls<Arguments>>, _ arguments: Arguments,
    _ closure: KeyPath<Closures, Closure?>
  ) -> Closure? {
    played.withLock { state in
      state.calls[keyPath: calls].invocations.append(arguments)
      return state.closures[keyPath: closure]
    }
  }

  /// Notes that a member has nothing to answer.
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
