internal import Foundation

/// The refreshes behind answers that failed last, for the next results of the same queries.
///
/// A refresh for which no call waits has no result of its own. Its failure is in the log, and in each
/// later result of the query that local answers, until a fetch of the query succeeds.
package final class FailedRefreshes: Sendable {
  private struct Failure {
    let criteria: Criteria
    let session: Session
    let date: Date
    let type: Evocation.RepositoryType
    let entry: Evocation.Metadata
  }

  /// The greatest number of queries; beyond it, the log alone has the oldest failures.
  package static var most: Int { 32 }

  private let failures = Lock<[Failure]>([])

  /// The number of queries.
  package var count: Int { failures.withLock { $0.count } }

  /// Records how a refresh of a query ended, in place of the refresh before it.
  func record(
    _ end: Evocation.MetadataByRepository, of criteria: Criteria, in session: Session, at date: Date
  ) {
    let failed = [Evocation.RepositoryType.remote, .local].compactMap { type in
      end[type].flatMap { entry in entry.error.map { (type, entry, $0) } }
    }.first
    if failed?.2 is CancellationError { return }
    failures.change { failures -> [Failure] in
      let old = failures.filter { $0.criteria == criteria || $0.session.isOver }
      if failed == nil, old.isEmpty { return [] }
      failures.removeAll { $0.criteria == criteria || $0.session.isOver }
      if let (type, entry, _) = failed {
        failures.append(
          Failure(criteria: criteria, session: session, date: date, type: type, entry: entry))
      }
      return old + (failures.count > Self.most ? [failures.removeFirst()] : [])
    }
  }

  /// Returns what failed in the last refresh of a query; nil if it was fetched after that.
  func last(
    of criteria: Criteria, since fetchedAt: Date?
  ) -> (type: Evocation.RepositoryType, entry: Evocation.Metadata)? {
    let found = failures.withLock { failures in
      failures.first { $0.criteria == criteria && !$0.session.isOver }
    }
    guard let found, fetchedAt.map({ $0 <= found.date }) ?? true else { return nil }
    var entry = found.entry
    entry.values["remark"] = "This was the last refresh; another one has begun."
    return (found.type, entry)
  }
}
