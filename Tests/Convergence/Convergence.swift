import Foundation

/// Plays seeds, and tells what went wrong and what happened.
///
/// `Convergence` plays 300 seeds of up to 120 steps, or as many as `EVOCATION_CONVERGENCE` says of up to
/// 240 steps, from its argument on. `EVOCATION_SEED` plays one and tells every step, and that it is the
/// same a second time. `EVOCATION_STEPS` sets the most steps. `--transcripts` prints what could be
/// seen of as many seeds as the argument says, for `scripts/side-by-side`.
@main
struct Convergence {
  static func main() {
    let environment = ProcessInfo.processInfo.environment
    // The order of a set differs from process to process otherwise.
    guard environment["SWIFT_DETERMINISTIC_HASHING"] != nil else { return beginAgain() }
    guard JobQueue.install() else { return print("The runtime does not give its jobs away.") }
    if CommandLine.arguments.dropFirst().first == "--transcripts" { return printTranscripts() }
    func number(_ name: String) -> UInt64? { environment[name].flatMap { UInt64($0) } }
    let steps = number("EVOCATION_STEPS").map { Int(clamping: $0) }
    let isWell: Bool
    let argument = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) }
    if argument == nil, let seed = number("EVOCATION_SEED") {
      isWell = play(seed, steps: steps ?? .max)
    } else {
      let first = argument ?? 1
      let count = number("EVOCATION_CONVERGENCE")
      isWell = play(from: first, count ?? 300, steps: steps ?? (count == nil ? 120 : .max))
    }
    print(isWell ? "It converges." : "It does not converge.")
    exit(isWell ? 0 : 1)
  }

  /// Plays one seed twice, and tells every step.
  private static func play(_ seed: UInt64, steps: Int) -> Bool {
    let world = World(seed: seed, steps: steps, telling: .print)
    print(world.options)
    let violations = world.play()
    print("Seed \(seed): \(violations)")
    let again = World(seed: seed, steps: steps, telling: .digest)
    _ = again.play()
    if again.digest != world.digest { print("Seed \(seed) is not the same a second time.") }
    return violations.isEmpty && again.digest == world.digest
  }

  private static func play(from first: UInt64, _ count: UInt64, steps: Int) -> Bool {
    let began = ContinuousClock.now
    var total = Tally()
    for seed in 0..<count {
      let world = World(seed: first &+ seed, steps: steps)
      let violations = world.play()
      if !violations.isEmpty {
        let most = steps == .max ? "" : " EVOCATION_STEPS=\(steps)"
        let again = "EVOCATION_SEED=\(first &+ seed)\(most) swift run -c release Convergence"
        print("\(again): \(violations)")
        let told = World(seed: first &+ seed, steps: steps, telling: .gather)
        _ = told.play()
        for line in told.trace.suffix(60) { print("  \(line)") }
        fflush(nil)
      }
      total += world.tally
    }
    for (name, path) in Tally.rows { print("\(total[keyPath: path]) \(name)") }
    print("in \(ContinuousClock.now - began)")
    return total.failures == 0
  }

  private static func printTranscripts() {
    let count = CommandLine.arguments.last.flatMap { UInt64($0) } ?? 300
    for seed in 1...max(1, count) {
      let world = World(seed: seed, steps: 120, telling: .keep)
      let violations = world.play()
      print("# convergence, seed \(seed)")
      print(world.options)
      for line in world.transcript + violations { print(line) }
    }
  }

  /// Begins this process again with hashes that do not vary.
  private static func beginAgain() {
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    var arguments = CommandLine.arguments.map { strdup($0) }
    arguments.append(nil)
    execv("/proc/self/exe", arguments)
    execv(CommandLine.arguments[0], arguments)
    print("The process could not begin again: \(errno).")
  }
}
