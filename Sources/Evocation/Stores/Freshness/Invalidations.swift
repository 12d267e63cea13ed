/// Which of a ledger's tags were declared stale last, for fetches that are under way.
///
/// The ledger counts the invalidations of a tag in its record. A tag that was never fetched has none, and a
/// ledger of the app may keep no count, so the process remembers the last invalidations too. A fetch that
/// began before those counts as declared stale.
struct Invalidations {
  private static let lastNumber = Lock<UInt64>(0)
  /// How many are remembered.
  private static var most: Int { 64 }

  /// The numbers of the last invalidations, and the beginnings of the tags that each concerns.
  private var recent: [(number: UInt64, prefix: String)] = []
  /// The greatest number that is not remembered.
  private var forgotten: UInt64
  /// The number of the last one.
  private(set) var last: UInt64

  init() {
    forgotten = Self.next()
    last = forgotten
  }

  mutating func add(_ prefix: String) {
    last = Self.next()
    recent.append((last, prefix))
    if recent.count > Self.most { forgotten = recent.removeFirst().number }
  }

  /// Whether a tag may have been declared stale after the invalidation with this number.
  func concern(_ tag: String, since number: UInt64) -> Bool {
    if number == last { return false }
    return number < forgotten
      || recent.contains { $0.number > number && tag.beginsWithBytes(of: $0.prefix) }
  }

  /// Returns a number that no registry of the process has had.
  private static func next() -> UInt64 {
    lastNumber.withLock { number in
      number += 1
      return number
    }
  }
}

extension CacheRegistry {
  /// The number of the last invalidation.
  package var lastInvalidation: UInt64 { invalidations.withLock { $0.last } }

  /// Records that the tags with a prefix are declared stale.
  package func recordInvalidation(prefix: String) { invalidations.withLock { $0.add(prefix) } }

  /// Whether a tag may have been declared stale after the invalidation with this number.
  func wasInvalidated(_ tag: String, since number: UInt64) -> Bool {
    invalidations.withLock { $0.concern(tag, since: number) }
  }
}
