/// The observers of a cache, by the numbers of their repositories.
///
/// Each of a thousand rows of a screen may have a repository of its own, so what depends on the
/// policies looks at each policy once, and not at each repository.
struct CacheObservers: Sendable {
  private var repositories: [UInt64: (policy: CachePolicy, count: Int)] = [:]
  private var tally = Tally<CachePolicy>()

  var isEmpty: Bool { repositories.isEmpty }

  /// The policies of the observed repositories, each once.
  var policies: some Collection<CachePolicy> { tally.values }

  /// Adds observers of a repository, which now has this policy.
  mutating func add(_ count: Int, of repository: UInt64, having policy: CachePolicy) {
    replace(repository, by: (policy, (repositories[repository]?.count ?? 0) + count))
  }

  /// Sets the policy of a repository; false if it has it already, or no observers.
  mutating func setPolicy(of repository: UInt64, _ policy: CachePolicy) -> Bool {
    guard let old = repositories[repository], old.policy != policy else { return false }
    replace(repository, by: (policy, old.count))
    return true
  }

  /// Removes observers of a repository; false if it has none.
  mutating func remove(_ count: Int, of repository: UInt64) -> Bool {
    guard let old = repositories[repository] else { return false }
    replace(repository, by: old.count > count ? (old.policy, old.count - count) : nil)
    return true
  }

  private mutating func replace(
    _ repository: UInt64, by new: (policy: CachePolicy, count: Int)?
  ) {
    if let old = repositories[repository] { tally.remove(old.policy) }
    if let new { tally.add(new.policy) }
    repositories[repository] = new
  }
}
