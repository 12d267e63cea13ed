/// What a state is said to begin with.
public enum CacheStateStart {
  /// The state begins without a cache.
  public enum NoCache {}
  /// The state begins with a cache.
  public enum Existing {}
}
