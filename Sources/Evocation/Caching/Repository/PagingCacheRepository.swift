/// A cached list that is loaded page by page, and all that ``CacheRepository`` has.
///
/// ```swift
/// let cars = Evocation.shared.pagingCache(for: Car.self, pageSize: 50, maxAge: .seconds(3600))
/// cars.requirements = Criteria()
/// for await state in cars.observe() { show(state.cache?.cache ?? []) }
/// ```
///
/// The list is kept with the requirements of its next pages, so it goes on after a restart. A
/// refresh begins with the first page and replaces the list when that is saved; until then, and
/// when it fails, the old list stays and can be continued. Pages that were loading for an old list
/// are dropped. Safe to use from any thread.
public final class PagingCacheRepository<Source: PagingCacheDataSource>: Sendable {
  /// The same cache, without functions for pages.
  ///
  /// Both can be used side by side: they share age, state and running fetch.
  public let cache: CacheRepository<Source>

  /// How many rows before the end of the list the next page is asked for, none or more.
  ///
  /// By ``rowAppeared(at:)``; so is the previous page as many rows after its beginning.
  public let prefetchDistance: Int

  /// Makes a repository without requirements.
  ///
  /// - Parameters:
  ///   - source: How the list is fetched, saved and observed.
  ///   - keepsPages: Whether the list keeps its pages across launches; if not, it is cut down to
  ///     its first page at the first use.
  ///   - prefetchDistance: How many rows before the end of the list the next page is asked for.
  ///   - ledger: As for ``CacheRepository``.
  ///   - clock: As for ``CacheRepository``.
  ///   - onTrace: As for ``CacheRepository``; the traces of pages that failed are named `nextPage`
  ///     and `previousPage`.
  public convenience init(
    _ source: Source,
    keepsPages: Bool = true,
    prefetchDistance: Int = 10,
    ledger: any FetchLedger = InMemoryFetchLedger.shared,
    clock: any Clock<Duration> = ContinuousClock(),
    onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) {
    self.init(
      CacheRepository(source, ledger, CacheTime(clock), keepsPages: keepsPages, onTrace),
      prefetchDistance: prefetchDistance)
  }

  init(_ cache: CacheRepository<Source>, prefetchDistance: Int) {
    self.cache = cache
    self.prefetchDistance = max(0, prefetchDistance)
  }

  /// How the list is fetched, saved and observed.
  public var source: Source { cache.source }

  /// What the list is asked for; nil until it is set.
  public var requirements: Source.Requirements? {
    get { cache.requirements }
    set { cache.requirements = newValue }
  }

  /// Loads the page after the list, and waits until it is saved and shown.
  ///
  /// Nothing is loaded when there is no such page. A load that runs in this direction is joined:
  /// all its callers get the same result, cancelling concerns one caller alone, and the load ends
  /// with its last caller. After a failure the list is as it was, and the same page is asked for
  /// again. The list can also be continued after a refresh that failed.
  ///
  /// - Parameter continueWhenError: Whether to try a page again that failed last time.
  /// - Returns: How it ended. ``CacheError/pageWithoutCache`` says that there is no list yet, or that
  ///   its fetch failed; the state does not show it.
  @discardableResult
  public func goToNextPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.next, continueWhenError)
  }

  /// Loads the page before the list, and waits until it is saved and shown.
  ///
  /// It may load while a next page does. All else is as for ``goToNextPage(continueWhenError:)``.
  @discardableResult
  public func goToPreviousPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.previous, continueWhenError)
  }

  private func go(_ direction: PageDirection, _ continueWhenError: Bool) async -> PageResult {
    do {
      let binding = try cache.binding()
      return await binding.entry.go(
        direction, binding.number, binding.client, continueWhenError: continueWhenError)
    } catch {
      return .failed(error)
    }
  }
}

extension PagingCacheRepository where Source: WindowedCacheDataSource {
  /// The part of the list that states have; nil for all of it.
  ///
  /// ```swift
  /// cars.window = 0..<200
  /// ```
  ///
  /// The window belongs to the list: all who observe these requirements are shown it. What is
  /// beyond the list's end is left out until it is loaded. States have their part in
  /// ``PagedCache/range``, and the length of the list in ``PagedCache/count``. Without requirements
  /// it is nil and cannot be set.
  public var window: Range<Int>? {
    get { requirements.flatMap(source.window) }
    set {
      guard let requirements else { return }
      source.show(newValue, of: requirements)
    }
  }
}
