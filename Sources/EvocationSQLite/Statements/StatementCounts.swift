internal import Synchronization

/// How often a connection had a statement already; the connection counts, any thread may look.
final class StatementCounts: Sendable {
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)

  var hits: Int { hitCount.load(ordering: .relaxed) }
  var misses: Int { missCount.load(ordering: .relaxed) }

  // Loaded and stored apart, because one thread at a time counts, and adding in one costs more.
  func addHit() { hitCount.store(hits + 1, ordering: .relaxed) }
  func addMiss() { missCount.store(misses + 1, ordering: .relaxed) }
}
