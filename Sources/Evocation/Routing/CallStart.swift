import Dispatch
import Synchronization

/// The executor of one callback call's task, which knows how far the call has come.
///
/// The part of a task before its first wait runs in the lane of starts of its `Evocation`, so that
/// calls enter their repositories in the order in which they were made. Plain tasks would start in
/// any order. Everything after that runs in lanes that promise no order.
final class CallStart: TaskExecutor {
  /// How far a call has come.
  enum Phase: UInt8, AtomicRepresentable {
    /// Its task does not exist yet.
    case made
    /// It waits for its start, or is on its way to a repository.
    case starting
    /// It is about to enter a repository.
    case entering
    /// It has entered a repository, waits for its turn, or needs neither.
    case entered
  }

  /// Identifies the model type of the call.
  let owner: ObjectIdentifier
  private let lane: CallLane
  private let state = Atomic(Phase.made)

  init(_ lane: CallLane, owner: ObjectIdentifier) {
    self.lane = lane
    self.owner = owner
  }

  var phase: Phase {
    state.load(ordering: .acquiring)
  }

  /// Records that a repository is asked next.
  func enter() {
    let isFirst = state.load(ordering: .relaxed) == .starting
    state.store(isFirst ? .entering : .entered, ordering: .releasing)
  }

  /// Records that nothing of the call has to precede later calls any more.
  func pass() {
    state.store(.entered, ordering: .releasing)
  }

  /// Returns the executor of another task of the same call.
  func another() -> CallStart {
    CallStart(lane, owner: owner)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let priority = TaskPriority(job.priority)
    let item = CallLane.Item(job: UnownedJob(job), start: self)
    if state.load(ordering: .relaxed) == .made {
      state.store(.starting, ordering: .relaxed)
      lane.append(item)
    } else {
      pass()
      OpenLanes.of(priority).append(item)
    }
  }
}
