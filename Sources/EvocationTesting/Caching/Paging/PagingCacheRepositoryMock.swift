public import Evocation

/// A list that answers as a test tells it, and remembers how it was used.
///
/// ```swift
/// let cars = PagingCacheRepositoryMock<CarListSource>()
/// cars.closures.goToNextPage = { _ in .failed(Offline()) }
/// cars.requirements = "cars"
/// #expect(await CarPages(cars: cars).scrolledToEnd() == "Offline()")
/// #expect(cars.calls.goToNextPage.invocations == [true])
/// ```
///
/// It is to a `PagingCacheRepository` what ``CacheRepositoryMock`` is to a `CacheRepository`. Pages
/// have to be answered by closures too. Safe to use from any thread.
public final class PagingCacheRepositoryMock<Source: PagingCacheDataSource>: PagingCacheProviding {
  private struct State {
    var nextPages = MockCalls<Bool>()
    var previousPages = MockCalls<Bool>()
    var closures = Closures()
  }

  /// Plays and remembers all that a list has in common with any cache.
  let base: CacheRepositoryMock<Source>
  let stage = MockStage<CacheState<PagedCache<Source.Cache>>>()
  private let played = Lock(State())

  /// Makes a mock without requirements and closures.
  ///
  /// - Parameter onFailure: Is told of each failure at once; a test may record it as an issue.
  public init(onFailure: (@Sendable (MockFailure) -> Void)? = nil) {
    base = CacheRepositoryMock(name: "\(Self.self)", onFailure: onFailure)
  }

  deinit { stage.finish() }

  /// What the list is asked for; each setting is in ``calls``.
  public var requirements: Source.Requirements? {
    get { base.requirements }
    set { base.requirements = newValue }
  }

  /// How each member was used so far.
  public var calls: Calls {
    let others = base.calls
    return played.withLock {
      Calls(goToNextPage: $0.nextPages, goToPreviousPage: $0.previousPages, others: others)
    }
  }

  /// What each member plays.
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

  /// Forgets how it was used; requirements, closures and the present state stay.
  public func resetCalls() {
    base.resetCalls()
    played.withLock { state in
      state.nextPages = MockCalls()
      state.previousPages = MockCalls()
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

  /// Notes a use, and plays what is set for it.
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
