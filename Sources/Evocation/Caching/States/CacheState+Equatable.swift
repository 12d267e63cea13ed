extension CacheState.State: Equatable where Cache: Equatable {
  /// Whether both are no cache, or caches of equal content and date.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.noCache, .noCache): true
    case (.cache(let left, let date), .cache(let right, let otherDate)):
      left == right && date == otherDate
    case (.noCache, _), (.cache, _): false
    }
  }
}

extension CacheState: Equatable where Cache: Equatable {
  /// Whether two states show the same: content, date, flags, tag and errors.
  ///
  /// Errors are alike when type and description are. The age is left out, because it is the
  /// moment's and not the cache's.
  public static func == (left: Self, right: Self) -> Bool {
    left.state == right.state && left.isSameBesides(right)
  }
}

extension CacheState {
  /// Whether all but content, date and age is the same; errors by type and description, unless it is
  /// known by other means whether they are.
  func isSameBesides(
    _ other: Self, _ areSame: ((any Error)?, (any Error)?) -> Bool = ErrorIdentity.areSame
  ) -> Bool {
    tag.map(ByteText.init) == other.tag.map(ByteText.init)
      && isRefreshing == other.isRefreshing
      && isFirstFetch == other.isFirstFetch
      && justFinishedFirstFetch == other.justFinishedFirstFetch
      && justFinishedSuccessfulFirstFetch == other.justFinishedSuccessfulFirstFetch
      && justFinishedSuccessfulRefresh == other.justFinishedSuccessfulRefresh
      && areSame(refreshError, other.refreshError)
      && freshness == other.freshness
      && isReading == other.isReading
      && areMorePages == other.areMorePages
      && areMorePreviousPages == other.areMorePreviousPages
      && next.isSame(as: other.next, areSame)
      && previous.isSame(as: other.previous, areSame)
      && extent == other.extent
  }
}
