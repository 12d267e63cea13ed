/// A remote repository that may not know where the service's lists end.
///
/// What cannot be known to be the whole is taken for no more than it is: `"mirror"`, a rule with a `maxAge`,
/// a prefetch and a cache refuse such a repository for what has no limit.
package protocol OpenEndedRepository<Model>: Repository {
  /// Why a list may be a part of what there is, and what mends it, for a sentence; nil where lists are whole.
  ///
  /// It is asked for once, when the repository is registered.
  var openEnd: String? { get }
}
