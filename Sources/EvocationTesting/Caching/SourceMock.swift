public import Evocation

/// A source that answers as a test tells it: what ``CacheDataSourceMock`` and
/// ``PagingCacheDataSourceMock`` have in common.
///
/// Safe to use from any thread.
public protocol SourceMock<Cache>: AnyObject, CacheDataSource {
  /// How each member was used.
  associatedtype Calls: Sendable

  /// What each member plays.
  associatedtype Closures: Sendable

  /// What the mock keeps of its use.
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

  /// What each member plays.
  public var closures: Closures {
    get { base.closures }
    set { base.closures = newValue }
  }

  /// The calls that had no closure to answer them, in order.
  public var failures: [MockFailure] { base.failures }

  /// Forgets how it was used; closures and what is held stay.
  public func resetCalls() { base.resetCalls() }

  /// Holds a cache and shows it to the observers, as if it had been saved by other code.
  public func send(_ cache: Cache, requirements: Requirements) {
    base.store.hold(cache, requirements.tag)
  }

  /// What is held for these requirements.
  public func held(_ requirements: Requirements) -> Cache? { base.store.held(requirements.tag) }

  /// Ends what is observed, with an error if there is one.
  public func finish(_ requirements: Requirements, throwing error: (any Error)? = nil) {
    base.store.finish(requirements.tag, throwing: error)
  }

  /// Waits until so many streams of what is saved have begun; false when the task was cancelled.
  @discardableResult
  public func observations(_ count: Int) async -> Bool {
    await base.store.observations.reach(count)
  }
}
