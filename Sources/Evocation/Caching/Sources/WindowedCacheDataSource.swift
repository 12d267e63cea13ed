/// A source whose lists can be looked at in part, because they are long.
public protocol WindowedCacheDataSource: PagingCacheDataSource {
  /// Which part of a list is looked at; nil for all of it.
  func window(of requirements: Requirements) -> Range<Int>?

  /// Sets which part of a list is looked at, for all who observe it; nil for all of it.
  func show(_ range: Range<Int>?, of requirements: Requirements)
}
