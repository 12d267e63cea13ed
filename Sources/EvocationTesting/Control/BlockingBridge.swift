import Dispatch
import Evocation
import Foundation

/// Runs asynchronous work on its own thread while the caller's thread waits.
///
/// It needs neither the main thread nor those of Swift's pool, so it ends even if all of them wait.
final class BlockingBridge: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isEnded = false
  }

  private let state = Lock(State())
  private let hasWork = DispatchSemaphore(value: 0)

  /// Runs the body, and waits for it.
  static func result<Value: Sendable>(
    of body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let executor = BlockingBridge()
    let outcome = Lock<Result<Value, any Error>>(.failure(CancellationError()))
    let isDone = DispatchSemaphore(value: 0)
    Task(executorPreference: executor) {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      executor.end()
    }
    let thread = Thread {
      executor.run()
      isDone.signal()
    }
    thread.start()
    isDone.wait()
    return try outcome.withLock { $0 }.get()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    hasWork.signal()
  }

  private func run() {
    while true {
      hasWork.wait()
      let (job, isEnded) = state.withLock { state in
        (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isEnded)
      }
      job?.runSynchronously(on: asUnownedTaskExecutor())
      if isEnded, job == nil { return }
    }
  }

  private func end() {
    state.withLock { $0.isEnded = true }
    hasWork.signal()
  }
}
