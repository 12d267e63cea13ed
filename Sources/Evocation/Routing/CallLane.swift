import Dispatch
import Foundation
import Synchronization

/// Runs jobs of callback calls one after another, in the order of their arrival.
///
/// One thread runs them as long as none of them takes long. A job takes long if a repository or a
/// callback blocks its thread. When no other job has to wait for that job, another thread goes on
/// with the jobs behind it, and the relieved thread ends with its job. A blocked thread therefore
/// delays the jobs behind it only shortly, and then only those that must follow it. Quick jobs,
/// which are nearly all, change no threads.
final class CallLane: Sendable {
  /// A job with the executor that it runs on.
  struct Item: LaneItem {
    let job: UnownedJob
    let start: CallStart

    var owner: ObjectIdentifier { start.owner }
  }

  /// How often an empty lane looks for the next job before it sleeps: for about two microseconds,
  /// because waking up takes five (`find, callback, 1,000 at a time`).
  private static var looks: Int { 2_000 }
  /// The time between two looks at a thread whose job may be blocked while other jobs wait.
  private static let interval = DispatchTimeInterval.milliseconds(1)
  private static let watch = DispatchQueue(label: "Evocation.CallLane.watch")

  private let queue: DispatchQueue
  private let qos: DispatchQoS
  private let state = Lock(LaneQueue<Item>())
  /// The place of the thread that runs the lane.
  ///
  /// It increases by one for each job that begins, and for each relief. If a thread does not find
  /// the place as it left it, it was relieved.
  private let place = Atomic<UInt64>(0)
  private let arrivals = Atomic(0)

  init(_ qos: DispatchQoS) {
    self.qos = qos
    queue = DispatchQueue(label: "Evocation.CallLane", qos: qos)
  }

  func append(_ item: Item) {
    arrivals.wrappingAdd(1, ordering: .relaxed)
    let (need, here) = note { $0.append(item) }
    switch need {
    case .nothing: break
    case .thread(let isSoon): begin(at: here, isSoon: isSoon)
    case .watch: watch(here, stays: 0)
    }
  }

  /// Applies a change, and returns what it requires, and at which place.
  private func note(
    _ change: (inout LaneQueue<Item>) -> LaneQueue<Item>.Need
  ) -> (LaneQueue<Item>.Need, UInt64) {
    state.withLock { state in
      let need = change(&state)
      // The place is in another thread's cache, and slow to read, so it is read only where needed.
      return (need, need == .nothing ? 0 : place.load(ordering: .acquiring))
    }
  }

  /// Starts a thread that runs the lane: the queue's, unless that may be the blocked one.
  private func begin(at place: UInt64, isSoon: Bool) {
    // The lane's own priority, because the thread goes on with jobs of other callers.
    if isSoon { return queue.async(qos: qos, flags: .enforceQoS) { self.run(from: place) } }
    // Not a thread of GCD, whose number is limited, and all of which may be blocked.
    let thread = Thread { self.run(from: place) }
    thread.qualityOfService = qos.quality
    thread.start()
  }

  /// Looks again and again whether the thread stays in a job, while other jobs wait.
  private func watch(_ seen: UInt64, stays: Int) {
    Self.watch.asyncAfter(deadline: .now() + Self.interval) {
      switch self.look(seen, stays: stays + 1) {
      case .nobodyWaits: break
      case .goesOn(let here): self.watch(here, stays: here == seen ? stays + 1 : 0)
      case .relieved(let here):
        self.begin(at: here, isSoon: false)
        self.watch(here, stays: 0)
      }
    }
  }

  private func look(_ seen: UInt64, stays: Int) -> Sight {
    state.withLock { state in
      let here = place.load(ordering: .acquiring)
      guard state.needsWatch(at: here) else { return .nobodyWaits }
      let patience = (state.current(at: here)?.start.phase ?? .made).patience
      var expected = here
      guard here == seen, stays >= patience, advance(&expected) else { return .goesOn(here) }
      state.relieve(at: here)
      return .relieved(expected)
    }
  }
}

extension CallLane {
  /// The result of looking at a lane's thread, with its present place.
  private enum Sight {
    case nobodyWaits
    case goesOn(UInt64)
    case relieved(UInt64)
  }
}

// The work of the lane's thread.
extension CallLane {
  private func run(from start: UInt64) {
    var here = start
    /// The owner of the job that this thread ran last of those that it took.
    var owner: ObjectIdentifier?
    var mayRest = false
    while true {
      let seen = arrivals.load(ordering: .relaxed)
      if let items = take(at: here, mayRest) {
        owner = nil
        if items.isEmpty, mayRest { return }
        mayRest = items.isEmpty && !another(since: seen)
        if run(items, &here, &owner) { continue }
      }
      guard let place = comeBack(owner) else { return }
      here = place
      mayRest = false
    }
  }

  /// Runs a batch; returns false if another thread has taken over the lane in the meantime.
  private func run(
    _ items: [Item], _ here: inout UInt64, _ owner: inout ObjectIdentifier?
  ) -> Bool {
    for item in items {
      guard advance(&here) else { return false }
      owner = item.owner
      item.job.runSynchronously(on: item.start.asUnownedTaskExecutor())
    }
    return true
  }

  /// Returns all waiting jobs; nil if another thread has the lane.
  ///
  /// If there are none and the thread may rest, the lane rests.
  private func take(at here: UInt64, _ mayRest: Bool) -> [Item]? {
    state.withLock { state in
      guard place.load(ordering: .acquiring) == here else { return nil }
      let items = state.take(at: here)
      if items.isEmpty, mayRest { state.rest() }
      return items
    }
  }

  /// Increases the place, unless another thread has taken over the lane.
  private func advance(_ here: inout UInt64) -> Bool {
    let (isMine, _) = place.compareExchange(
      expected: here, desired: here + 1, ordering: .acquiringAndReleasing
    )
    here += 1
    return isMine
  }

  /// Returns whether another job comes soon.
  private func another(since seen: Int) -> Bool {
    for _ in 0..<Self.looks where arrivals.load(ordering: .relaxed) != seen { return true }
    return false
  }

  /// Ends the work of a thread that was relieved.
  ///
  /// It returns the place from which the thread goes on, if no thread runs the lane and there are
  /// jobs again.
  private func comeBack(_ owner: ObjectIdentifier?) -> UInt64? {
    guard let owner else { return nil }
    switch note({ $0.comeBack(owner) }) {
    case (.thread, let here): return here
    case (.watch, let here): watch(here, stays: 0)
    case (.nothing, _): break
    }
    return nil
  }
}

extension DispatchQoS {
  /// The same quality of service for a thread.
  fileprivate var quality: QualityOfService {
    switch qosClass {
    case .background: .background
    case .utility: .utility
    case .userInitiated: .userInitiated
    case .userInteractive: .userInteractive
    default: .default
    }
  }
}

extension CallStart.Phase {
  /// How often a thread is seen at the same place before it counts as blocked there.
  ///
  /// A call that has entered a repository delays no other call. When its first line there runs
  /// cannot be observed here. It is assumed to run within a twentieth of a second, which is wrong
  /// only if the system suspends the thread at that point.
  fileprivate var patience: Int {
    switch self {
    case .entered: 1
    case .entering: 50
    case .made, .starting: 100
    }
  }
}
