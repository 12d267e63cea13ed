internal import Foundation

/// Which caches go when there are more than the limits allow.
enum Eviction {
  /// The tags to be let go, the longest unused first, of all that share the limits.
  ///
  /// Those that somebody uses stay, whatever the limits.
  static func tags(
    _ records: [String: FetchRecord], _ limits: CacheLimits, keeping kept: Set<String>, at now: Date
  ) -> [String] {
    let unused = records.filter { !kept.contains($0.key) }
      .sorted { ($0.value.usedAt, $0.key) < ($1.value.usedAt, $1.key) }
    var count = records.count
    var size = records.values.reduce(0) { $0 + $1.size }
    return unused.filter { _, record in
      let isOld = limits.age.map { now.timeIntervalSince(record.usedAt) > $0.seconds } ?? false
      let isTooMuch =
        limits.count.map { count > $0 } ?? false || limits.size.map { size > $0 } ?? false
      guard isOld || isTooMuch else { return false }
      count -= 1
      size -= record.size
      return true
    }.map(\.key)
  }

  /// The requirements that a record tells; nil where they are of another type.
  static func requirements<Requirements: CacheRequirements>(
    of record: FetchRecord
  ) -> Requirements? {
    guard let type = Requirements.self as? any Decodable.Type, let data = record.requirements
    else { return nil }
    return (try? JSONDecoder().decode(type, from: data)) as? Requirements
  }
}

extension Duration {
  /// The duration in seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
