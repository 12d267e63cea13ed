/// A cached list that is loaded page by page, and all that ``CacheRepository`` has.
///
/// ```swift
/// let cars = Evocation.shared.pagingCache(for: Car.self, pageSize: 50, maxAge: .seconds(3600))
/// cars.requirements = Criteria()
/// for await state in cars.observe() { show(state.cache?.cache ?? []) }
/// ```
///
/// The list and where it can be continued are kept together, so a restart changes nothing. A refresh
/// begins with the first page and replaces the list when it has been saved; until then, and when it
/// fails, the old list is there, and can be continued. Pages of an old list are dropped. Safe to use
/// from any thread.
public final class PagingCacheRepository<Source: PagingCacheDataSource>: Sendable {
  /// The same cache without its pages.
  ///
  /// Both can be used side by side: they share age, state and running fetch.
  public let cache: CacheRepository<Source>

  /// Makes a repository without requirements.
  ///
  /// - Parameters:
  ///   - source: How the list is fetched, saved and observed.
  ///   - keepsPages: Whether the list is as long as it was when the app starts again; else it is
  ///     cut down to its first page at the first use, and fetched on from there.
  ///   - ledger: As for ``CacheRepository``.
  ///   - clock: As for ``CacheRepository``.
  ///   - onTrace: As for ``CacheRepository``; pages that fail are told in traces named `nextPage` and
  ///     `previousPage`.
  public convenience init(
    _ source: Source,
    keepsPages: Bool = true,
    ledger: any FetchLedger = InMemoryFetchLedger.shared,
    clock: any Clock<Duration> = ContinuousClock(),
    onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) {
    self.init(
      CacheRepository(source, ledger, CacheTime(clock), keepsPages: keepsPages, onTrace))
  }

  init(_ cache: CacheRepository<Source>) {
    self.cache = cache
  }

  /// How the list is fetched, saved and observed.
  public var source: Source { cache.source }

  /// What the list is asked for; other requirements begin at their own list's place.
  public var requirements: Source.Requirements? {
    get { cache.requirements }
    set { cache.requirements = newValue }
  }

  /// Loads the page after the list, and waits until it is saved and shown.
  ///
  /// Nothing is loaded when there is no such page. One that is being loaded in this direction is
  /// joined: all who asked for it get one answer, a caller who is cancelled concerns nobody else,
  /// and the load ends with the last one who waits. After a failure list and position are as they
  /// were, and the same page is asked for again. After a failed refresh the list can be continued.
  ///
  /// - Parameter continueWhenError: Whether to try a page again that failed last time.
  /// - Returns: How it ended. ``CacheError/pageWithoutCache`` says that there is no list to go on
  ///   with, ``CacheError/pageOfFailedList`` that there is none because it has failed; neither is
  ///   shown in the state.
  @discardableResult
  public func goToNextPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.next, continueWhenError)
  }

  /// Loads the page before the list, and waits until it is saved and shown.
  ///
  /// It goes on beside a next page. All else is as for ``goToNextPage(continueWhenError:)``.
  @discardableResult
  public func goToPreviousPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.previous, continueWhenError)
  }

  private func go(_ direction: PageDirection, _ continueWhenError: Bool) async -> PageResult {
    do {
      let binding = try cache.binding()
      return await binding.entry.go(
        direction, cache.number, binding.client, continueWhenError: continueWhenError)
    } catch {
      return .failed(error)
    }
  }
}

extension PagingCacheRepository where Source: WindowedCacheDataSource {
  /// Which part of the list the states carry; nil for all of it.
  ///
  /// ```swift
  /// cars.window = 0..<200
  /// ```
  ///
  /// The window belongs to the list: all who observe these requirements are shown it. What is beyond
  /// the list's end is left out until it is there. The states say in ``PagedCache/range`` which part
  /// they carry, and in ``PagedCache/count`` how long the list is. Without requirements there is no
  /// list, and none to be set.
  public var window: Range<Int>? {
    get { requirements.flatMap(source.window) }
    set {
      guard let requirements else { return }
      source.show(newValue, of: requirements)
    }
  }
}
