import Dispatch
import Synchronization

/// The executor of one callback call's task, which knows how far the call has come.
///
/// A task's first stretch, up to where it first waits, is run in its `Evocation`'s lane of starts,
/// so that calls enter their repositories in the order in which they were made; plain tasks would
/// start in any order. Everything after that is run in lanes that promise no order.
final class CallStart: TaskExecutor {
  /// How far a call has come.
  enum Phase: UInt8, AtomicRepresentable {
    /// Its task is not made.
    case made
    /// It waits for its start, or is on its way to a repository.
    case starting
    /// It is being handed to a repository.
    case entering
    /// It has been in a repository, waits for its turn, or needs neither.
    case entered
  }

  /// Of which model type's calls this is one.
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

  /// Notes that a repository is asked next.
  func enter() {
    let isFirst = state.load(ordering: .relaxed) == .starting
    state.store(isFirst ? .entering : .entered, ordering: .releasing)
  }

  /// Notes that nothing of the call has to come before the calls behind it any more.
  func pass() {
    state.store(.entered, ordering: .releasing)
  }

  /// The executor of another task of the same call.
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
