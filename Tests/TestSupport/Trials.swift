package import EvocationTesting
import Foundation

/// What a test of random trials plays, and how often.
package enum Trials {
  /// How many times as often as on a change, by `EVOCATION_TRIALS`, which is set at night.
  package static var times: Int { factor("EVOCATION_TRIALS") }

  /// How many times as long a test may take, and as much of the stack, by `EVOCATION_PATIENCE`, which is
  /// set where a sanitizer makes all code slower and its frames larger.
  package static var patience: Int { factor("EVOCATION_PATIENCE") }

  /// So often, or as many times more.
  package static func count(_ count: Int) -> Int { count * times }

  /// The numbers of a test: the same in every run, or at night those of `EVOCATION_SEED`.
  ///
  /// It prints the seed, which plays the test again.
  package static func random(_ name: String) -> SeededGenerator {
    let said = ProcessInfo.processInfo.environment["EVOCATION_SEED"]
    let seed = said.flatMap { UInt64($0) } ?? 20_261_124
    print("\(name): EVOCATION_SEED=\(seed)")
    return SeededGenerator(seed: seed)
  }

  private static func factor(_ variable: String) -> Int {
    let factor = ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? 1
    return min(max(factor, 1), 10_000)
  }
}
