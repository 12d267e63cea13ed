internal import Synchronization

/// How often a connection reused a statement.
///
/// The connection counts, and any thread may read.
final class StatementCounts: Sendable {
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)

  var hits: Int { hitCount.load(ordering: .relaxed) }
  var misses: Int { missCount.load(ordering: .relaxed) }

  // Load and store are separate, because one thread at a time counts, and an atomic add costs more.
  func addHit() { hitCount.store(hits + 1, ordering: .relaxed) }
  func addMiss() { missCount.store(misses + 1, ordering: .relaxed) }
}
