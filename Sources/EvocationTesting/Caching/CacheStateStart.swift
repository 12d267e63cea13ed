/// What a state is said to begin with.
public enum CacheStateStart {
  /// No cache.
  public enum NoCache {}
  /// A cache.
  public enum Existing {}
}
