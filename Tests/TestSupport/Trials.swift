import Foundation

/// How often a test of random trials tries.
package enum Trials {
  /// So often, times `EVOCATION_TRIALS` where that is set, as it is at night.
  package static func count(_ count: Int) -> Int {
    let times = ProcessInfo.processInfo.environment["EVOCATION_TRIALS"].flatMap { Int($0) } ?? 1
    return count * min(max(times, 1), 10_000)
  }
}
