/// What `testing` of a state, a repository or an outbox offers your tests.
///
/// You write `CacheState.testing`, `CacheRepository.testing`, `PagingCacheRepository.testing` or
/// `evocation.outbox.testing`, and not this type.
public struct StateTesting<Subject: Sendable>: Sendable {
  let subject: Subject

  init(_ subject: Subject) { self.subject = subject }
}
