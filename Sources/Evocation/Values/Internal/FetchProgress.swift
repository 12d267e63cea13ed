package import Foundation

/// The progress that the app has passed to a call, for the work inside it.
package enum FetchProgress {
  @TaskLocal package static var current: Progress?
}

extension Progress {
  /// Reports how much is done; the total is unknown while it is nil.
  package func report(_ done: Int, of total: Int?) {
    totalUnitCount = total.map { Int64(max($0, done)) } ?? -1
    completedUnitCount = Int64(done)
  }

  /// Records that everything is done.
  package func finish() {
    if totalUnitCount <= 0 { totalUnitCount = max(completedUnitCount, 1) }
    completedUnitCount = totalUnitCount
  }
}
