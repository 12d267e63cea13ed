package import Foundation

extension FetchRecord {
  /// Returns how old the fetched data are; nil if that is unknown, as after the date was set back.
  package func age(at date: Date, mirroring: Bool = false) -> Duration? {
    isUndated ? nil : Duration(from: self.date(mirroring: mirroring), to: date)
  }

  /// Returns how fresh the fetched data are for a reader that mirrors, or does not.
  package func freshness(at date: Date, mirroring: Bool, maxAge: Duration?) -> Freshness {
    .of(
      age: age(at: date, mirroring: mirroring), isInvalidated: isStale(mirroring: mirroring),
      maxAge: maxAge)
  }
}

extension Freshness {
  /// Returns how fresh fetched data are, for reads and caches alike.
  ///
  /// Data of an unknown age count as older than any limit. Without a limit, they are fresh at any age.
  package static func of(
    age: Duration?, isInvalidated: Bool, maxAge: Duration?, maxUsableAge: Duration? = nil
  ) -> Freshness {
    if let maxUsableAge {
      let limit = max(maxUsableAge, maxAge ?? maxUsableAge)
      guard let age, age <= limit else { return .expired }
    }
    guard !isInvalidated else { return .stale }
    guard let maxAge else { return .fresh }
    guard let age, age <= maxAge else { return .stale }
    return .fresh
  }
}
