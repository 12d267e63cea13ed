import Dispatch
import Evocation
import Foundation

/// Runs what a store in a file does to its end while the simulation's thread waits.
///
/// Such a store works on threads of its own, which would go on beside the simulation. Here each call is
/// one step of it, whoever carries it out.
final class StoreThread: TaskExecutor {
  private static let shared = StoreThread()

  private let jobs = Lock<[UnownedJob]>([])
  private let hasWork = DispatchSemaphore(value: 0)

  private init() {
    Thread { [self] in
      while true {
        hasWork.wait()
        jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
      }
    }.start()
  }

  /// What a call of a store comes to; one in memory needs no other thread.
  static func value<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard World.usesFiles else { return try await body() }
    try Task.checkCancellation()
    let result = Lock<Result<Value, any Error>>(.failure(CancellationError()))
    let isDone = DispatchSemaphore(value: 0)
    Task(executorPreference: shared) {
      let value: Result<Value, any Error>
      do { value = .success(try await body()) } catch { value = .failure(error) }
      result.withLock { $0 = value }
      isDone.signal()
    }
    JobQueue.block(until: isDone)
    return try result.withLock { $0 }.get()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    hasWork.signal()
  }
}
