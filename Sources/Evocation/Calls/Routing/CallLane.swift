import Dispatch
import Foundation
import Synchronization

/// Runs the jobs of callback calls one after another, in the order of their arrival.
///
/// So calls enter their repositories in the order in which they were made; plain tasks would start
/// in any order. One thread leads. If it stays in a job while others wait, a repository or a
/// callback may block it, and another thread leads from then on. The relieved one ends with its job.
final class CallLane: Sendable {
  /// The time between two looks at a thread whose job may be blocked.
  private static let interval = DispatchTimeInterval.milliseconds(1)
  private static let watch = DispatchQueue(label: "Evocation.CallLane.watch")

  // Short work that callers wait for.
  private let queue = DispatchQueue(label: "Evocation.CallLane", qos: .userInitiated)
  private let state = Lock(LaneState())

  fileprivate func append(_ job: UnownedJob, of call: CallStart) {
    meet(
      state.withLock { state in
        state.arrived.append(LaneState.Item(job: job, call: call))
        return state.need()
      })
  }

  private func meet(_ need: LaneState.Need) {
    switch need {
    case .nothing: break
    case .watch(let begun): watch(begun, stays: 0)
    case .leader(let number, true): queue.async { self.lead(number) }
    case .leader(let number, false):
      // Not a thread of Dispatch, whose number is limited, and all of which may be blocked.
      let thread = Thread { self.lead(number) }
      thread.qualityOfService = .userInitiated
      thread.start()
    }
  }

  private func lead(_ number: Int) {
    var last: CallStart?
    while true {
      let (item, need) = state.withLock { $0.next(after: last, by: number) }
      guard let item else { return meet(need) }
      item.job.runSynchronously(on: item.call.asUnownedTaskExecutor())
      last = item.call
    }
  }

  /// Looks again and again whether the leader stays in a job, while others wait.
  private func watch(_ begun: Int, stays: Int) {
    Self.watch.asyncAfter(deadline: .now() + Self.interval) { [self] in
      let (need, now) = state.withLock { ($0.look(begun, stays: stays + 1), $0.begun) }
      guard let need else { return }
      meet(need)
      watch(now, stays: now == begun ? stays + 1 : 0)
    }
  }
}

/// The jobs that wait in a lane, its leader, and the model types that block threads.
private struct LaneState {
  struct Item {
    let job: UnownedJob
    let call: CallStart
  }

  /// What the lane has to do after a change.
  enum Need {
    case nothing
    /// A thread has to lead: the lane's own, if no job blocks that.
    case leader(Int, isOwn: Bool)
    /// The lane has to look whether its leader stays in the job with this number.
    case watch(Int)
  }

  /// How many threads the jobs of one model type may block.
  static let mostBlocked = 64

  var arrived: [Item] = []
  /// The number of jobs that have begun.
  private(set) var begun = 0
  /// The jobs before those that arrived, the first at the end.
  private var waiting: [Item] = []
  private var current: CallStart?
  private var leader = 0
  private var isLed = false
  private var isWatched = false
  /// How many relieved threads stay in jobs of a model type.
  private var blocked: [ObjectIdentifier: Int] = [:]
  /// The jobs of model types that block as many threads as they may.
  private var postponed: [ObjectIdentifier: [Item]] = [:]

  mutating func need() -> Need {
    guard isLed else { return newLeader() }
    if isWatched { return .nothing }
    isWatched = true
    return .watch(begun)
  }

  private mutating func newLeader() -> Need {
    isLed = true
    leader += 1
    return .leader(leader, isOwn: blocked.isEmpty)
  }

  /// Ends a thread's last job, and returns its next one; nil if it can rest, or is relieved.
  mutating func next(after last: CallStart?, by number: Int) -> (item: Item?, need: Need) {
    if let last, number != leader { return (nil, comeBack(from: last)) }
    while true {
      if waiting.isEmpty {
        swap(&waiting, &arrived)
        waiting.reverse()
      }
      guard let item = waiting.popLast() else {
        (isLed, current) = (false, nil)
        return (nil, .nothing)
      }
      guard blocked[item.call.owner, default: 0] < Self.mostBlocked else {
        postponed[item.call.owner, default: []].append(item)
        continue
      }
      (current, begun) = (item.call, begun + 1)
      return (item, .nothing)
    }
  }

  private mutating func comeBack(from call: CallStart) -> Need {
    let count = blocked[call.owner, default: 1] - 1
    blocked[call.owner] = count > 0 ? count : nil
    guard let items = postponed.removeValue(forKey: call.owner) else { return .nothing }
    waiting += items.reversed()
    return need()
  }

  /// Relieves the leader if it stays in a job for too long; returns nil if none waits for it.
  mutating func look(_ seen: Int, stays: Int) -> Need? {
    guard isLed, !waiting.isEmpty || !arrived.isEmpty else {
      isWatched = false
      return nil
    }
    // A leader that was just begun has no job yet.
    guard let call = current, begun == seen, stays >= call.patience else { return .nothing }
    current = nil
    blocked[call.owner, default: 0] += 1
    return newLeader()
  }
}

/// The executor of one callback call's task.
package final class CallStart: OwnExecutor {
  /// Identifies the model type of the call.
  fileprivate let owner: ObjectIdentifier
  private let lane: CallLane
  /// The number of its jobs so far.
  private let jobs = Atomic(0)

  init(_ lane: CallLane, owner: ObjectIdentifier) {
    self.lane = lane
    self.owner = owner
  }

  /// Records that nothing of the call has to precede later calls any more.
  func pass() {
    jobs.store(2, ordering: .releasing)
  }

  /// Returns the executor of another task of the same call.
  func another() -> CallStart {
    CallStart(lane, owner: owner)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.wrappingAdd(1, ordering: .relaxed)
    lane.append(job, of: self)
  }

  /// How often its job is seen before it counts as blocked.
  ///
  /// In its first job a call enters a repository. When it has done so cannot be observed here. It
  /// is assumed to take no longer than a twentieth of a second, which is wrong only if the system
  /// suspends the thread at that point.
  fileprivate var patience: Int { jobs.load(ordering: .acquiring) < 2 ? 50 : 1 }
}
