/// A source whose lists can be looked at in part, because they are long.
public protocol WindowedCacheDataSource: PagingCacheDataSource {
  /// Which part of a list is looked at; nil for all of it.
  func window(of requirements: Requirements) -> Range<Int>?

  /// Sets which part of a list is looked at, for all who observe it; nil for all of it.
  func show(_ range: Range<Int>?, of requirements: Requirements)
}

extension PagingCacheRepository where Source: WindowedCacheDataSource {
  /// Which part of the list the states carry; nil for all of it.
  ///
  /// ```swift
  /// cars.window = 0..<200
  /// ```
  ///
  /// The window belongs to the list: all who observe these requirements are shown it. What is beyond
  /// the list's end is left out until it is there. The states say in ``PagedCache/range`` which part
  /// they carry, and in ``PagedCache/count`` how long the list is. Without requirements there is no
  /// list, and none to be set.
  public var window: Range<Int>? {
    get { requirements.flatMap(source.window) }
    set {
      guard let requirements else { return }
      source.show(newValue, of: requirements)
    }
  }
}
