import Foundation

/// Plays seeds, and tells what went wrong and what happened.
///
///     Convergence                          the seeds that every run of the tests plays
///     Convergence play SEED [STEPS]        one, twice, telling every step
///     Convergence many COUNT [SEED [STEPS]]  as many from one on, which is drawn where none is given
///     Convergence digests [COUNT]          a line for each that is the same in every process
///     Convergence back [COUNT]             the same from the last one on
///     Convergence --transcripts COUNT      what could be seen of them, for `scripts/side-by-side`
///
/// No variable of the environment has a say, so that the tests play the same wherever they run.
@main
struct Convergence {
  /// What the tests play.
  private static let usual = Seeds(first: 1, count: 130, steps: 120)

  /// Some seeds, and the most steps of each before the network is well again.
  struct Seeds {
    var first: UInt64
    var count: UInt64
    var steps = Int.max

    var all: [UInt64] { (0..<count).map { first &+ $0 } }
  }

  static func main() {
    // The order of a set differs from process to process otherwise.
    let hashing = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"]
    guard hashing != nil else { return beginAgain() }
    guard JobQueue.install() else { return print("The runtime does not give its jobs away.") }
    let words = Array(CommandLine.arguments.dropFirst())
    let numbers = words.compactMap { UInt64($0) }
    let steps = numbers.count > 2 ? Int(clamping: numbers[2]) : .max
    switch (words.first, numbers.count) {
    case (nil, _): end(play(usual))
    case ("play", 1...2):
      end(play(numbers[0], steps: numbers.count > 1 ? Int(clamping: numbers[1]) : .max))
    case ("many", 1...3):
      let first = numbers.count > 1 ? numbers[1] : .random(in: 0...9_999_999)
      print("\(numbers[0]) seeds from \(first) on")
      fflush(nil)
      end(play(Seeds(first: first, count: numbers[0], steps: steps)))
    case ("digests", 0...1), ("back", 0...1):
      printDigests(numbers.first ?? 20, isBackwards: words[0] == "back")
    case ("--transcripts", 1): printTranscripts(numbers[0])
    default:
      print("Convergence takes nothing, play SEED [STEPS], many COUNT [SEED [STEPS]], or digests.")
      exit(2)
    }
  }

  private static func end(_ isWell: Bool) {
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

  private static func play(_ seeds: Seeds) -> Bool {
    let began = ContinuousClock.now
    var total = Tally()
    for (index, seed) in seeds.all.enumerated() {
      if index > 0, index % 1_000 == 0 {
        print("\(index) played")
        fflush(nil)
      }
      let world = World(seed: seed, steps: seeds.steps)
      let violations = world.play()
      if !violations.isEmpty {
        let most = seeds.steps == .max ? "" : " \(seeds.steps)"
        print("swift run -c release Convergence play \(seed)\(most): \(violations)")
        let told = World(seed: seed, steps: seeds.steps, telling: .gather)
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

  /// Prints what some seeds come to, in files and in memory, in this order or the other way round.
  private static func printDigests(_ count: UInt64, isBackwards: Bool) {
    let seeds = Seeds(first: usual.first, count: count).all
    for seed in isBackwards ? seeds.reversed() : seeds {
      let world = World(seed: seed, steps: .max, telling: .digest)
      _ = world.play()
      print("seed \(seed): \(world.tally.jobs) jobs, digest \(world.digest)")
    }
  }

  private static func printTranscripts(_ count: UInt64) {
    for seed in Seeds(first: 1, count: max(1, count)).all {
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
