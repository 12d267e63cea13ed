import Dispatch
import Foundation

/// Runs every job of Swift's shared threads on one thread, in an order that the seed decides.
///
/// All of Evocation's tasks run here, so that a simulation goes through the real calls, the real
/// outbox and the real repositories, and still is the same whenever its seed is. It needs a process of
/// its own, because it takes the jobs of everything else in the process too.
enum JobQueue {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Unsafe because only the thread of the simulation uses it, which the compiler cannot know.
  nonisolated(unsafe) fileprivate static var jobs: [UnownedJob] = []

  /// The executor of what runs nowhere in particular: two empty words, as the runtime has it.
  private static let generic = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  /// Takes the jobs from now on; false where the runtime has no hook for it.
  static func install() -> Bool {
    guard let symbol = dlsym(dlopen(nil, 0), "swift_task_enqueueGlobal_hook") else { return false }
    let hook = symbol.assumingMemoryBound(to: Hook?.self)
    hook.pointee = { job, _ in JobQueue.jobs.append(job) }
    return true
  }

  static var count: Int { jobs.count }

  /// Has the thread of the simulation wait, while another one may add jobs.
  static func block(until isDone: DispatchSemaphore) { isDone.wait() }

  /// Runs one of the jobs, which it has to have.
  static func run(at index: Int) {
    jobs.remove(at: index).runSynchronously(on: generic)
  }
}
