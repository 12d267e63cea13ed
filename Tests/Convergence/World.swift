import Evocation
import EvocationTesting
import Foundation

/// What happened in simulations, added up.
struct Tally {
  var seeds = 0, failures = 0, steps = 0, writes = 0, acknowledged = 0, reads = 0, attempts = 0
  var effects = 0, foreign = 0, lost = 0, repeated = 0, late = 0, unanswered = 0, conflicts = 0
  var resolved = 0, discards = 0, resends = 0, signOuts = 0, pauses = 0, outages = 0, restarts = 0
  var diskFull = 0, dates = 0, shared = 0, predicted = 0, jobs = 0, formerIDs = 0, refusals = 0
  var expired = 0, unreadable = 0, files = 0

  static let rows: [(String, any WritableKeyPath<Tally, Int> & Sendable)] = [
    ("seeds", \.seeds), ("steps", \.steps), ("jobs of tasks", \.jobs), ("writes", \.writes),
    ("of these acknowledged as pending", \.acknowledged), ("reads", \.reads),
    ("attempts to send", \.attempts), ("effects on the services", \.effects),
    ("writes by others", \.foreign), ("writes to former ids", \.formerIDs),
    ("messages lost", \.lost), ("messages repeated", \.repeated),
    ("refused on the way", \.refusals), ("answers that could not be read", \.unreadable),
    ("credentials expired", \.expired),
    ("answers that came when nobody waited", \.late), ("requests left unanswered", \.unanswered),
    ("conflicts", \.conflicts), ("of these given to the app", \.resolved), ("discards", \.discards),
    ("entries edited or sent again", \.resends), ("sign-outs", \.signOuts), ("pauses", \.pauses),
    ("connections lost", \.outages), ("processes killed", \.restarts), ("full disks", \.diskFull),
    ("dates set", \.dates), ("second processes", \.shared), ("seeds with files", \.files),
    ("instances whose end was predicted", \.predicted), ("seeds that failed", \.failures),
  ]

  static func += (left: inout Tally, right: Tally) {
    for (_, path) in rows { left[keyPath: path] += right[keyPath: path] }
  }
}

/// One simulation: devices, a network and a service, all of it decided by a seed.
///
/// Everything happens on one thread, step by step: a message is delivered, a user does something, a
/// clock moves, and then the tasks run that follow from it.
final class World: @unchecked Sendable {
  /// The number of the write that a task makes.
  @TaskLocal static var write: Int?
  /// Whether the stores of the world that is played are files.
  ///
  /// Unsafe because only the thread of the simulation uses it, which the compiler cannot know.
  nonisolated(unsafe) private(set) static var usesFiles = false

  var random: SeededGenerator
  let options: Options
  let service: Service
  let network = Network()
  private(set) var devices: [Device] = []
  private(set) lazy var check = Check(self)
  var tally = Tally()
  var step = 0
  /// Processes that were killed, and have jobs left.
  var dying: [AppProcess] = []
  var isHealing = false
  private let telling: Telling
  /// A sum over all that is told, the same in each run of the seed.
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  private var lastWrite = 0
  private var lastID = 0

  /// What becomes of the sentences on each step, which take a tenth of the time to be made.
  enum Telling { case nothing, digest, print, gather, keep }

  /// What was told and seen, where it is kept: by steps, and within one in the order of the alphabet,
  /// since which of two tasks came first is nothing that anybody relies on.
  private(set) var transcript: [String] = []
  private(set) var told: [String] = []
  private var shown: [String] = []

  /// A simulation that takes so many steps at most before the network is well again.
  ///
  /// It is calm where what is told is kept, to be compared.
  init(seed: UInt64, steps: Int, telling: Telling = .nothing) {
    random = SeededGenerator(seed: seed)
    options = Options(&random, steps: steps, isCalm: telling == .keep)
    service = Service(options)
    self.telling = telling
    // Apart from the numbers that decide what happens, so that one id more changes nothing else.
    let ids = Lock(SeededGenerator(seed: ~seed))
    EntryID.source.withLock { $0 = { ids.withLock { $0.next() } } }
    devices = (0..<options.devices).map { Device($0, self) }
  }

  func say(_ sentence: @autoclosure () -> String) {
    if telling == .nothing { return }
    let text = telling == .gather ? "\(step) \(sentence())" : sentence()
    if telling == .keep || telling == .gather { return told.append(text) }
    for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    if telling == .print { print(step, text) }
  }

  /// Whether more is told than what two states of the sources have to agree on.
  var tellsAll: Bool { telling != .nothing && telling != .keep }

  /// What was told of the instance that the first violation names first.
  var trace: [String] {
    guard let violation = check.violations.first,
      let range = violation.range(of: "\\b[nr]-?[0-9]+\\b", options: .regularExpression)
    else { return told }
    let name = String(violation[range])
    return told.filter { $0.range(of: "\\b\(name)\\b", options: .regularExpression) != nil }
  }

  func chance() -> Double { options.isCalm ? 0.5 : Double(random.next() >> 11) * 0x1p-53 }

  /// How a process reads.
  func strategy() -> Strategy {
    switch random.count(0...9) {
    case 0..<6: .mirroring
    case 6..<8: .reading(Strategy.Rule(target: .remote, fallback: .local, synchronize: true))
    default: .offlineFirst
    }
  }

  func fillsDisk() -> Bool {
    guard options.fillsDisks, !isHealing, random.chance(2) else { return false }
    tally.diskFull += 1
    return true
  }

  func killsInCommit() -> Bool {
    options.kills && !options.isCalm && !isHealing && random.next() % 200 == 0
  }

  func nextWrite() -> Int {
    lastWrite += 1
    return lastWrite
  }

  func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Plays the seed; gives what went wrong.
  func play() -> [String] {
    Self.usesFiles = options.usesFiles
    for device in devices { device.start() }
    settle()
    while step < options.steps, check.violations.isEmpty {
      step += 1
      happen()
      if !options.interrupts || random.chance(60) { settle() } else { run(random.count(0...12)) }
    }
    settle()
    heal()
    if check.violations.isEmpty { check.ends(of: devices) }
    close()
    tally.seeds = 1
    tally.steps = step
    tally.effects = service.effects.count
    tally.conflicts = service.conflicts
    tally.predicted = check.predicted
    tally.files = options.usesFiles ? 1 : 0
    tally.failures = check.violations.isEmpty ? 0 : 1
    return check.violations
  }

  /// Runs tasks until none has anything to do.
  func settle() {
    repeat {
      let dead = dying
      dying = []
      for process in dead { network.drop(process) }
      run(20_000)
      for process in dead { process.bury() }
      run(20_000)
    } while !dying.isEmpty
    if JobQueue.count > 0 { check.fail("the tasks do not come to rest.") }
    if telling == .keep { keep() }
  }

  /// Keeps what was told in this step, and what each device then has, where that has changed.
  private func keep() {
    network.flights.sort { $0.text < $1.text }
    let present = devices.map { device in
      let entries = device.waiting.map { "\($0) \($0.entry.state)" }
      return "device \(device.number) has \(device.rows.values.sorted { $0.name < $1.name }), "
        + "and is to send \(entries)"
    }
    transcript += told.sorted().map { "\(step) \($0)" }
    for (at, text) in present.enumerated() where !shown.indices.contains(at) || shown[at] != text {
      transcript.append("\(step) \(text)")
    }
    told = []
    shown = present
  }

  private func run(_ most: Int) {
    for _ in 0..<most {
      guard JobQueue.count > 0 else { return }
      tally.jobs += 1
      JobQueue.run(
        at: options.shufflesJobs && JobQueue.count > 1 ? random.count(0...JobQueue.count - 1) : 0)
    }
  }

  /// Lets everything end.
  private func close() {
    for device in devices { for process in device.processes { process.kill() } }
    for exchange in network.open { network.end(exchange, .failure(Network.lost)) }
    settle()
    for exchange in network.open { network.end(exchange, .failure(Network.lost)) }
    settle()
    for device in devices { device.deleteFile() }
  }
}
