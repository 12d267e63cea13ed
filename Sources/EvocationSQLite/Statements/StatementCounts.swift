internal import Synchronization

/// How often the connections of a database reused a statement, and how often they prepared one.
final class StatementCounts: Sendable {
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)

  var hits: Int { hitCount.load(ordering: .relaxed) }
  var misses: Int { missCount.load(ordering: .relaxed) }

  func addHit() { hitCount.wrappingAdd(1, ordering: .relaxed) }
  func addMiss() { missCount.wrappingAdd(1, ordering: .relaxed) }
}
