/// When which criteria were last fetched, for rules with a `maxAge`.
///
/// It keeps the newest thousand, in memory.
struct FetchLog {
  private static let capacity = 1_000
  private var times: [Criteria: Duration] = [:]
  private var revalidating: Set<Criteria> = []

  func isFresh(_ criteria: Criteria, maxAge: Duration, now: Duration) -> Bool {
    guard let time = times[criteria] else { return false }
    return now >= time && now.subtracting(time) <= maxAge
  }

  mutating func record(_ criteria: Criteria, at time: Duration) {
    times[criteria] = time
    guard times.count > Self.capacity else { return }
    let oldest = times.sorted { $0.value < $1.value }.prefix(Self.capacity / 10)
    for (criteria, _) in oldest { times[criteria] = nil }
  }

  /// Answers false when the criteria are being fetched behind another answer already.
  mutating func beginRevalidating(_ criteria: Criteria) -> Bool {
    revalidating.insert(criteria).inserted
  }

  mutating func endRevalidating(_ criteria: Criteria) {
    revalidating.remove(criteria)
  }
}
