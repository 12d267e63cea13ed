/// How one repository judges a cache: how old it may be, and what is done about it.
struct CachePolicy: Sendable, Equatable {
  var maxAge: Duration?
  var maxUsableAge: Duration?
  var isAutomatic = true
  var canFetch = true

  /// In which window an age lies; nil stands for an unknown age.
  func freshness(age: Duration?, isInvalidated: Bool) -> Freshness {
    guard canFetch else { return .fresh }
    if let maxUsableAge {
      let limit = max(maxUsableAge, maxAge ?? maxUsableAge)
      guard let age, age <= limit else { return .unusable }
    }
    guard !isInvalidated else { return .usable }
    guard let maxAge else { return .fresh }
    guard let age, age <= maxAge else { return .usable }
    return .fresh
  }

  /// Whether a cache is stale as soon as it is there.
  var isStaleAtOnce: Bool { (maxAge ?? maxUsableAge).map { $0 <= .zero } ?? false }

  /// The ages at which a cache goes from one window into the next.
  ///
  /// One that is stale as soon as it is there has nothing to wait for: to refresh it whenever it is
  /// stale would be to refresh it for ever.
  var boundaries: [Duration] {
    guard canFetch else { return [] }
    return [maxAge, maxUsableAge].compactMap(\.self).filter { $0 > .zero }
  }
}
