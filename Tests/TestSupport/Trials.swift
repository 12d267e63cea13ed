import Foundation

/// How often a test of random trials tries.
package enum Trials {
  /// How many times as often as on a change, by `EVOCATION_TRIALS`, which is set at night.
  package static var times: Int {
    let times = ProcessInfo.processInfo.environment["EVOCATION_TRIALS"].flatMap { Int($0) } ?? 1
    return min(max(times, 1), 10_000)
  }

  /// So often, or as many times more.
  package static func count(_ count: Int) -> Int { count * times }
}
