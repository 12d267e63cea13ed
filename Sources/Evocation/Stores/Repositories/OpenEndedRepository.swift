/// A remote repository that may not notice whether a list of its server is complete.
///
/// If a query has no limit, Evocation refuses such a repository for `"mirror"`, for a rule with a
/// `maxAge`, for a prefetch and for a cache, because each of them needs a complete answer.
package protocol OpenEndedRepository<Model>: Repository {
  /// Why a list may be incomplete and how to fix that, as part of a sentence; nil if lists are
  /// complete.
  ///
  /// Evocation reads it once, when the repository is registered.
  var openEnd: String? { get }
}
