internal import Foundation

/// Which caches go when there are more than the limits allow.
enum Eviction {
  /// The tags to be let go, the longest unused first, of all that share the limits.
  ///
  /// Those that somebody uses stay, whatever the limits. What was used in the future, before the
  /// date was set back, goes first, because nobody knows when that was.
  static func tags(
    _ records: [String: FetchRecord], _ limits: CacheLimits, keeping kept: Set<String>, at now: Date
  ) -> [String] {
    let unused = records.filter { !kept.contains($0.key) }
      .map { tag, record in (tag, record, record.usedAt <= now ? record.usedAt : .distantPast) }
      .sorted { (left: (String, FetchRecord, Date), right) in (left.2, left.0) < (right.2, right.0)
      }
    var count = records.count
    // As a source counts them, which may be more than a whole number holds.
    var size = records.values.reduce(0) { $0 + Double($1.size) }
    return unused.filter { _, record, _ in
      let isOld = limits.age.map { now.timeIntervalSince(record.usedAt) > $0.seconds } ?? false
      let isTooMuch =
        limits.count.map { count > $0 } ?? false || limits.size.map { size > Double($0) } ?? false
      guard isOld || isTooMuch else { return false }
      count -= 1
      size -= Double(record.size)
      return true
    }.map(\.0)
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
