import Dispatch
import Evocation

/// Runs asynchronous work on its own queue while the caller's thread waits.
///
/// It needs neither the main thread nor those of Swift's pool, so it ends even if all of them wait.
final class BlockingBridge: TaskExecutor {
  private let queue = DispatchQueue(label: "EvocationTesting.BlockingBridge")

  /// Runs the body, and waits for it.
  static func result<Value: Sendable>(
    of body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Lock<Result<Value, any Error>>(.failure(CancellationError()))
    let isDone = DispatchSemaphore(value: 0)
    Task(executorPreference: BlockingBridge()) {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      isDone.signal()
    }
    isDone.wait()
    return try outcome.withLock { $0 }.get()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
