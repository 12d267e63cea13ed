public import Evocation

extension CacheRepository {
  /// Puts repositories into a state before a test begins.
  ///
  /// ```swift
  /// try CacheRepository.testing.initState(repository: cars, requirements: requirements) {
  ///   $0.cache([car]) { $0.cacheTooOld() }
  /// }
  /// ```
  public static var testing: CacheRepositoryTesting<Source> { CacheRepositoryTesting() }
}
