import Dispatch

/// Starts the tasks of callback calls one after another, in the order in which they were made.
///
/// A task's first stretch, up to where its repository first waits, runs on one serial queue; so
/// the repositories are entered in order. Everything after that runs side by side. Plain tasks
/// would start in any order.
final class CallStarter: Sendable {
  private let queue = DispatchQueue(label: "Evocation.CallStarter")

  /// Starts a task that inherits the caller's priority and task-local values.
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: Executor(queue)) { await body() }
  }
}

extension CallStarter {
  /// The executor of one task.
  private final class Executor: TaskExecutor {
    private let queue: DispatchQueue
    private let hasStarted = Lock(false)

    init(_ queue: DispatchQueue) {
      self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let isFirst = hasStarted.withLock { hasStarted in
        defer { hasStarted = true }
        return !hasStarted
      }
      let qos = DispatchQoS.QoSClass(job.priority)
      let job = UnownedJob(job)
      let queue = isFirst ? queue : DispatchQueue.global(qos: qos)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
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
