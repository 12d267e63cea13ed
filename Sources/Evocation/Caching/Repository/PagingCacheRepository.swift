/// A cached list that Evocation loads page by page, with all functions of ``CacheRepository``.
///
/// ```swift
/// let cars = Evocation.shared.pagingCache(Car.self, pageSize: 50, maxAge: .seconds(3600))
/// cars.requirements = Criteria()
/// for await state in cars.observe() { show(state.cache?.cache ?? []) }
/// ```
///
/// The ledger keeps the requirements of the next pages with the list, so the list continues after a
/// restart. A refresh begins with the first page, and replaces the list when that page is saved.
/// Until then, and when it fails, the old list stays and can be continued. Evocation drops pages
/// that were loading for an old list. You can use a repository from any thread.
public final class PagingCacheRepository<Source: PagingCacheDataSource>: Sendable, PlainlyPrinted {
  /// The same cache, without functions for pages.
  ///
  /// You can use both side by side: they share age, state and running fetch.
  public let cache: CacheRepository<Source>

  /// How many rows before the end of the list the next page is loaded, zero or more.
  ///
  /// ``rowAppeared(at:)`` counts them. It loads the previous page as many rows after the beginning.
  public let prefetchDistance: Int

  /// Creates a repository without requirements.
  ///
  /// - Parameters:
  ///   - source: How the list is fetched, saved and observed.
  ///   - keepsPages: Whether the list keeps its pages across launches; if not, its first use cuts
  ///     it down to the first page.
  ///   - prefetchDistance: How many rows before the end of the list the next page is loaded.
  ///   - ledger: As for ``CacheRepository``.
  ///   - clock: As for ``CacheRepository``.
  ///   - onTrace: As for ``CacheRepository``; the traces of failed pages are named `nextPage` and
  ///     `previousPage`.
  public convenience init(
    _ source: Source,
    keepsPages: Bool = true,
    prefetchDistance: Int = 10,
    ledger: any FetchLedger = InMemoryFetchLedger.shared,
    clock: any Clock<Duration> = ContinuousClock(),
    onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) {
    self.init(
      CacheRepository(
        source, ledger, time: CacheTime(clock), keepsPages: keepsPages, onTrace: onTrace),
      prefetchDistance: prefetchDistance)
  }

  init(_ cache: CacheRepository<Source>, prefetchDistance: Int) {
    self.cache = cache
    self.prefetchDistance = max(0, prefetchDistance)
  }

  /// The source, which says how the list is fetched, saved and observed.
  public var source: Source { cache.source }

  /// The requirements: the query whose models are listed; nil until you set it.
  public var requirements: Source.Requirements? {
    get { cache.requirements }
    set { cache.requirements = newValue }
  }

  /// Loads the page after the list, and waits until states show it.
  ///
  /// Without such a page it loads nothing. It joins a load that already runs in this direction: all
  /// callers get the same result, canceling affects one caller alone, and the load ends with its
  /// last caller. After a failure the list is unchanged, and the next call requests the same page
  /// again. You can also continue the list after a refresh that failed.
  ///
  /// - Parameter continueWhenError: Whether to try a page again that failed last time.
  /// - Returns: How it ended. ``CacheError/pageWithoutCache`` says that there is no list yet, or that
  ///   its fetch failed; the state does not show it.
  @discardableResult
  public func goToNextPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.after, continueWhenError)
  }

  /// Loads the page before the list, and waits until states show it.
  ///
  /// It may run while a next page loads. All else is as for ``goToNextPage(continueWhenError:)``.
  @discardableResult
  public func goToPreviousPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.before, continueWhenError)
  }

  private func go(_ position: PagePosition, _ continueWhenError: Bool) async -> PageResult {
    do {
      let binding = try cache.binding()
      return PageResult(
        await binding.entry.go(
          position, binding.number, source: binding.client, continueWhenError: continueWhenError))
    } catch {
      return .failed(error)
    }
  }
}

extension PagingCacheRepository {
  /// The part of the list that states show; nil for all of it.
  ///
  /// ```swift
  /// cars.window = 0..<200
  /// ```
  ///
  /// The window belongs to the list: every observer of these requirements sees it. A part beyond
  /// the list's end is missing until it is loaded. ``PagedCache/range`` has the part that a state
  /// shows, and ``PagedCache/count`` the length of the list. Without requirements the window is
  /// nil, and setting it does nothing.
  public var window: Range<Int>? {
    get { requirements.flatMap { windowed?.window(of: $0) } }
    set {
      guard let requirements else { return }
      windowed?.show(newValue, of: requirements)
    }
  }

  private var windowed: (any StoreCacheDataSource<Source.Cache, Source.Requirements>)? {
    source as? any StoreCacheDataSource<Source.Cache, Source.Requirements>
  }
}
