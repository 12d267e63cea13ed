public import Evocation

/// A list that answers by a test's closures, and records how it was used.
///
/// ```swift
/// let cars = PagingCacheRepositoryMock<CarListSource>()
/// cars.closures.goToNextPage = { _ in .failed(Offline()) }
/// cars.requirements = "cars"
/// #expect(await CarPages(cars: cars).scrolledToEnd() == "Offline()")
/// #expect(cars.calls.goToNextPage.invocations == [true])
/// ```
///
/// It is to a `PagingCacheRepository` what ``CacheRepositoryMock`` is to a `CacheRepository`. Going
/// to a page needs a closure too. Safe to use from any thread.
public final class PagingCacheRepositoryMock<Source: PagingCacheDataSource>: PagingCacheProviding {
  private struct State {
    var nextPages = MockCalls<Bool>()
    var previousPages = MockCalls<Bool>()
    var rows = MockCalls<Int>()
    var prefetchDistance = 10
    var closures = Closures()
  }

  /// Runs and records all that a list has in common with any cache.
  let base: CacheRepositoryMock<Source>
  let stage = MockStage<CacheState<PagedCache<Source.Cache>>>()
  private let played = Lock(State())

  /// Makes a mock without requirements and closures.
  ///
  /// - Parameter onFailure: Called at once with each failure; a test may record it as an issue.
  public init(onFailure: (@Sendable (MockFailure) -> Void)? = nil) {
    base = CacheRepositoryMock(name: "\(Self.self)", onFailure: onFailure)
  }

  deinit { stage.finish() }

  /// What the list is asked for; each setting is in ``calls``.
  public var requirements: Source.Requirements? {
    get { base.requirements }
    set { base.requirements = newValue }
  }

  /// How many rows before the end of the list its users look for one that appears; 10 by default.
  public var prefetchDistance: Int {
    get { played.withLock { $0.prefetchDistance } }
    set { played.withLock { $0.prefetchDistance = newValue } }
  }

  /// How each member was used so far.
  public var calls: Calls {
    let others = base.calls
    return played.withLock {
      Calls(
        goToNextPage: $0.nextPages, goToPreviousPage: $0.previousPages, rowAppeared: $0.rows,
        others: others)
    }
  }

  /// The closures that the members run.
  public var closures: Closures {
    get { played.withLock { $0.closures } }
    set {
      base.closures = newValue.others
      let old = played.withLock { played in
        let old = played.closures
        played.closures = newValue
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// The calls that had no closure to answer them, in order.
  public var failures: [MockFailure] { base.failures }

  /// Forgets the recorded calls and failures; requirements, closures and the present state stay.
  public func resetCalls() {
    base.resetCalls()
    played.withLock { state in
      state.nextPages = MockCalls()
      state.previousPages = MockCalls()
      state.rows = MockCalls()
    }
  }

  /// The state that was sent last; nil before the first.
  public var state: CacheState<PagedCache<Source.Cache>>? { stage.present }

  /// Shows a state to all observers of the list, present and later ones.
  public func send(_ state: CacheState<PagedCache<Source.Cache>>) { stage.send(state) }

  /// Ends every observation, as when a repository goes away; later ones end after the last state.
  public func finish() { stage.finish() }

  /// Waits until the list has been observed so many times; false when the task was cancelled.
  @discardableResult
  public func observations(_ count: Int) async -> Bool { await stage.observations.reach(count) }

  /// Records a row, and gives the closure for it.
  func noteRow(_ index: Int) -> (@Sendable (Int) -> Void)? {
    played.withLock { state in
      state.rows.invocations.append(index)
      return state.closures.rowAppeared
    }
  }

  /// Records a use, and runs the closure for it.
  func go(_ direction: PageDirection, _ continueWhenError: Bool) async -> PageResult {
    let closure = played.withLock { state in
      switch direction {
      case .next:
        state.nextPages.invocations.append(continueWhenError)
        return state.closures.goToNextPage
      case .previous:
        state.previousPages.invocations.append(continueWhenError)
        return state.closures.goToPreviousPage
      }
    }
    do {
      try base.requireRequirements()
      let member = direction == .next ? "goToNextPage" : "goToPreviousPage"
      guard let closure else {
        throw base.failure("\(member)(continueWhenError:)", member)
      }
      return try await closure(continueWhenError)
    } catch is CancellationError {
      return .skipped(.cancelled)
    } catch {
      return .failed(error)
    }
  }
}

extension PagingCacheRepositoryMock {
  /// How each member was used: pages, and what `CacheRepositoryMock.Calls` has.
  @dynamicMemberLookup
  public struct Calls: Sendable {
    /// The `continueWhenError` that each `goToNextPage` was given.
    public let goToNextPage: MockCalls<Bool>

    /// The `continueWhenError` that each `goToPreviousPage` was given.
    public let goToPreviousPage: MockCalls<Bool>

    /// The index that each `rowAppeared` was given.
    public let rowAppeared: MockCalls<Int>

    let others: CacheRepositoryMock<Source>.Calls

    /// How a member was used that all caches have.
    public subscript<Value>(
      dynamicMember member: KeyPath<CacheRepositoryMock<Source>.Calls, Value>
    ) -> Value {
      others[keyPath: member]
    }

    /// How often any member was used.
    public var callsCount: Int {
      others.callsCount + goToNextPage.callsCount + goToPreviousPage.callsCount
        + rowAppeared.callsCount
    }

    /// Whether any member was used.
    public var called: Bool { callsCount > 0 }
  }
}

extension PagingCacheRepositoryMock {
  /// The closures that the members run: these, and those of `CacheRepositoryMock.Closures`.
  ///
  /// Members that return nothing need no closure. Set closures before the code under test runs.
  @dynamicMemberLookup
  public struct Closures: Sendable {
    /// What a list shows, as it changes.
    public typealias States = any AsyncSequence<CacheState<PagedCache<Source.Cache>>, Never>

    /// Gives the states, in place of those that the test sends.
    public var observe: (@Sendable (_ forceRefresh: Bool) -> States)?

    /// Answers for the next page; an error that it throws becomes the result.
    public var goToNextPage: (@Sendable (_ continueWhenError: Bool) async throws -> PageResult)?

    /// Answers for the previous page; an error that it throws becomes the result.
    public var goToPreviousPage: (@Sendable (_ continueWhenError: Bool) async throws -> PageResult)?

    /// Is run for each row that appears.
    public var rowAppeared: (@Sendable (_ index: Int) -> Void)?

    var others = CacheRepositoryMock<Source>.Closures()

    /// The closure of a member that all caches have.
    public subscript<Value>(
      dynamicMember member: WritableKeyPath<CacheRepositoryMock<Source>.Closures, Value>
    ) -> Value {
      get { others[keyPath: member] }
      set { others[keyPath: member] = newValue }
    }
  }
}
