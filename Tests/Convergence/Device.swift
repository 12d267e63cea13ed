import Evocation
import EvocationTesting
import Foundation

/// A device: its store and its clock, which outlive the processes of the app on it.
///
/// Like all of a simulation, it is used by one thread.
final class Device: @unchecked Sendable {
  let number: Int
  unowned let world: World
  let store = InMemoryRepository<Note>()
  let clock = ManualClock()
  var processes: [AppProcess] = []
  var isOnline = true
  /// What the store holds, and what waits there, after the last commit.
  var rows: [Int: Note] = [:]
  var entries: [Outbox.Entry<Note>] = []
  /// When each instance was last seen with an entry.
  var unsentAt: [Int: Int] = [:]
  /// The least version that local may show of an instance, since an answer was kept.
  var leastVersions: [Int: Int] = [:]
  /// When its entries were last seen to wait for the user to sign in again; no read shows them then.
  var heldAt = -1
  var isHeld = false
  /// How many calls that discard entries are under way.
  var isDiscarding = 0
  /// How many writes have begun, and how many of them are under way.
  var writes = (begun: 0, running: 0)

  init(_ number: Int, _ world: World) {
    self.number = number
    self.world = world
  }

  var process: AppProcess? { processes.last { $0.isAlive } }

  func start() {
    processes.removeAll { !$0.isAlive }
    processes.append(AppProcess(self))
  }

  func setOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    for process in processes { process.connectivity.tell(isOnline) }
  }
}

/// One run of the app.
final class AppProcess: @unchecked Sendable {
  let device: Device
  let connectivity: Reachability
  private(set) var isAlive = true
  private(set) var evocation: Evocation?
  /// In which step each read that is under way began.
  var reads: [Int] = []

  init(_ device: Device) {
    self.device = device
    let world = device.world
    let connectivity = Reachability(device.isOnline)
    self.connectivity = connectivity
    let evocation = Evocation(
      configuration: .init(
        clock: device.clock, chance: { world.chance() },
        outbox: .init(concurrency: world.options.concurrency, connectivity: connectivity)))
    self.evocation = evocation
    evocation.register(for: Note.self)
      .conflicts { [weak self] in self?.resolve($0) ?? .park }
      .repository(remote: Remote(process: self))
      .repository(local: WatchedStore(self))
      .strategy(world.strategy())
  }

  /// Ends the process: from here on it reaches neither its store nor the service.
  func kill() {
    guard isAlive else { return }
    isAlive = false
    device.world.dying.append(self)
  }

  /// Lets go of what the process had, once none of its jobs is under way.
  func bury() {
    evocation = nil
    connectivity.end()
  }

  /// The app's answer to a conflict: by chance, but for what is no conflict of two writers.
  private func resolve(_ conflict: Outbox.Conflict<Note>) -> Outbox.Resolution<Note> {
    guard isAlive else { return .park }
    let world = device.world
    var mine = conflict.mine
    mine.version = conflict.theirs?.version ?? 0
    if let theirs = conflict.theirs, conflict.kind != .remove, theirs.text == mine.text {
      world.check.givesUp(conflict.mine, conflict.kind, isSame: true)
      return .theirs
    }
    // The own write before it has come between.
    if conflict.base == conflict.theirs, conflict.theirs != nil {
      world.check.replaces(conflict.mine, conflict.kind)
      return .merged(mine)
    }
    world.tally.resolved += 1
    switch world.random.count(0...9) {
    case 0:
      world.check.sendsAgain(conflict.mine, conflict.kind)
      return .mine
    case 1, 2: return .park
    case 3, 4, 5:
      world.check.givesUp(conflict.mine, conflict.kind, isSame: false)
      return .theirs
    default:
      world.check.replaces(conflict.mine, conflict.kind)
      mine.text += "m"
      return .merged(mine)
    }
  }
}

/// Whether a device can reach the service.
final class Reachability: Connectivity, @unchecked Sendable {
  private(set) var isOnline: Bool
  private var continuations: [AsyncStream<Bool>.Continuation] = []

  init(_ isOnline: Bool) { self.isOnline = isOnline }

  func changes() -> AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    continuations.append(continuation)
    return stream
  }

  func tell(_ isOnline: Bool) {
    self.isOnline = isOnline
    for continuation in continuations { continuation.yield(isOnline) }
  }

  func end() { for continuation in continuations { continuation.finish() } }
}
