/// What `testing` of a state, a repository or an outbox offers your tests.
///
/// You write `CacheState.testing`, `CacheRepository.testing`, `PagingCacheRepository.testing` or
/// `evocation.outbox.testing`, and not this type.
///
/// ```swift
/// try PagingCacheRepository.testing.initState(repository: cars, requirements: "cars") {
///   $0.cache([car], nextPage: 2) { $0.cacheTooOld() }
/// }
/// ```
public struct StateTesting<Subject: Sendable>: Sendable {
  let subject: Subject

  init(_ subject: Subject) { self.subject = subject }
}
