import Foundation

/// How often a test of random trials tries.
package enum Trials {
  /// How many times as often as on a change, by `EVOCATION_TRIALS`, which is set at night.
  package static var times: Int { factor("EVOCATION_TRIALS") }

  /// How many times as long a test may take, by `EVOCATION_PATIENCE`, which is set where a sanitizer
  /// makes all code slower.
  package static var patience: Int { factor("EVOCATION_PATIENCE") }

  /// So often, or as many times more.
  package static func count(_ count: Int) -> Int { count * times }

  private static func factor(_ variable: String) -> Int {
    let factor = ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? 1
    return min(max(factor, 1), 10_000)
  }
}
