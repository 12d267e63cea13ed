/// What an app asks of a list: a ``PagingCacheRepository``, or the mock that takes its place in tests.
///
/// ```swift
/// struct CarPages {
///   let cars: any PagingCacheProviding<CarListSource>
///
///   func scrolledToEnd() async -> String? {
///     guard case .failed(let error) = await cars.goToNextPage() else { return nil }
///     return "\(error)"
///   }
/// }
/// ```
///
/// The members mean what they mean in ``PagingCacheRepository``.
public protocol PagingCacheProviding<Source>: CacheAccess
where Source: PagingCacheDataSource, Shown == PagedCache<Source.Cache> {
  /// Loads the page after the list, and waits until it is saved and shown.
  @discardableResult
  func goToNextPage(continueWhenError: Bool) async -> PageResult

  /// Loads the page before the list, and waits until it is saved and shown.
  @discardableResult
  func goToPreviousPage(continueWhenError: Bool) async -> PageResult
}

extension PagingCacheProviding {
  /// Loads the page after the list, again if it failed last time.
  @discardableResult
  public func goToNextPage() async -> PageResult { await goToNextPage(continueWhenError: true) }

  /// Loads the page before the list, again if it failed last time.
  @discardableResult
  public func goToPreviousPage() async -> PageResult {
    await goToPreviousPage(continueWhenError: true)
  }
}

extension PagingCacheRepository: PagingCacheProviding {}
