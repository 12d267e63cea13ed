public import Evocation

extension PagingCacheRepository {
  /// Puts repositories of lists into a state before a test begins.
  ///
  /// ```swift
  /// try PagingCacheRepository.testing.initState(repository: cars, requirements: "cars") {
  ///   $0.cache([car], nextPage: 2) { $0.cacheTooOld() }
  /// }
  /// ```
  public static var testing: PagingCacheRepositoryTesting<Source> {
    PagingCacheRepositoryTesting()
  }
}
