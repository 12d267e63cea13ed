import Dispatch
import Synchronization

/// Starts the tasks of callback calls one after another, in the order in which they were made.
///
/// A task's first stretch, up to where its repository first waits, runs in one serial lane; so
/// the repositories are entered in order. Everything after that runs side by side. Plain tasks
/// would start in any order.
final class CallStarter: Sendable {
  private let lane = Lane()

  /// The executor of one task, which is to prefer it from its start.
  func executor() -> Executor {
    Executor(lane)
  }
}

extension CallStarter {
  /// Starts its task in the lane, and lets it go on anywhere.
  final class Executor: TaskExecutor {
    private let lane: Lane
    private let hasStarted = Atomic(false)

    fileprivate init(_ lane: Lane) {
      self.lane = lane
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let isFirst = !hasStarted.exchange(true, ordering: .relaxed)
      if isFirst { return lane.append((UnownedJob(job), self)) }
      let qos = DispatchQoS.QoSClass(job.priority)
      let job = UnownedJob(job)
      DispatchQueue.global(qos: qos).async {
        job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
    }
  }

  /// First stretches, run one after another.
  ///
  /// The queue is woken once for all that wait, because to hand over each alone costs as much as
  /// a call.
  fileprivate final class Lane: Sendable {
    typealias Stretch = (job: UnownedJob, executor: Executor)

    private struct State {
      var waiting: [Stretch] = []
      var isRunning = false
    }

    /// How often an empty lane looks for the next stretch before it rests: about two microseconds,
    /// where to be woken takes five.
    private static var looks: Int { 2_000 }

    private let queue = DispatchQueue(label: "Evocation.CallStarter")
    private let state = Lock(State())
    private let arrivals = Atomic(0)

    func append(_ stretch: Stretch) {
      arrivals.wrappingAdd(1, ordering: .relaxed)
      let isFirst = state.withLock { state in
        state.waiting.append(stretch)
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if isFirst { queue.async { self.run() } }
    }

    private func run() {
      var mayRest = false
      while true {
        let seen = arrivals.load(ordering: .relaxed)
        if let stretches = next(mayRest) {
          for (job, executor) in stretches {
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
          }
          mayRest = false
        } else if mayRest {
          return
        } else {
          mayRest = !another(since: seen)
        }
      }
    }

    /// Whether another stretch comes soon.
    private func another(since seen: Int) -> Bool {
      for _ in 0..<Self.looks where arrivals.load(ordering: .relaxed) != seen { return true }
      return false
    }

    /// All that wait, or nil when the lane is empty; it rests then, if it may.
    private func next(_ mayRest: Bool) -> [Stretch]? {
      state.withLock { state in
        guard !state.waiting.isEmpty else {
          if mayRest { state.isRunning = false }
          return nil
        }
        defer { state.waiting = [] }
        return state.waiting
      }
    }
  }
}

extension DispatchQoS.QoSClass {
  fileprivate init(_ priority: JobPriority) {
    switch TaskPriority(priority) {
    case .some(let priority) where priority >= .high: self = .userInitiated
    case .some(let priority) where priority >= .medium: self = .default
    case .some(let priority) where priority >= .low: self = .utility
    case .some: self = .background
    case nil: self = .default
    }
  }
}
