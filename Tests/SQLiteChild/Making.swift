import Dispatch
import EvocationSQLite
import Foundation

/// Makes repositories in as many tasks as there are threads for them, beside a write of another task.
///
/// The write ends when they have all begun, and its task then wants one of these threads.
struct Making {
  let path: String

  private struct Trip: Codable, Identifiable {
    var id: Int
  }

  func run() async throws {
    let database = try SQLiteDatabase(path: path)
    let held = AsyncStream<Void>.makeStream()
    let (begun, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writing = Task.detached {
      try await database.write { _ in
        held.continuation.yield()
        released.wait()
      }
    }
    let count = ProcessInfo.processInfo.activeProcessorCount
    // On a thread of its own: those of tasks, and of queues that share them, are taken.
    Thread.detachNewThread {
      for _ in 0..<count { begun.wait() }
      released.signal()
    }
    for await _ in held.stream { break }
    let making = (0..<count).map { _ in
      Task.detached {
        begun.signal()
        _ = try SQLiteRepository<Trip>(database)
      }
    }
    for task in making { try await task.value }
    try await writing.value
    SQLiteChild.say("made")
  }
}
