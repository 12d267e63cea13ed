/// What reaches one who observes a cache.
enum CacheLetter<Cache: Sendable>: Sendable {
  case state(CacheState<Cache>)
  /// The repository is gone.
  case end
}
