import Evocation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite(.patient) struct QueuedJobTests {
  @Test func `A transaction whose task is canceled while it runs is undone, however short it is`()
    async throws
  {
    let connection = try Connection.open(nil, .writer, configuration: .init())
    try connection.execute("CREATE TABLE note (id)", "Testing")
    let (gate, ended) = (ThreadGate(), ThreadGate())
    let job = QueuedJob { connection in
      try connection.transaction { connection in
        try connection.execute("INSERT INTO note VALUES (1)", "Testing")
        gate.waitForRelease()
      }
    }
    let task = Task {
      try await job.value {
        job.begin(on: connection) { ended.release() }
        withUnsafeCurrentTask { $0?.cancel() }
        gate.release()
        // It ends before its caller waits for it.
        ended.waitForRelease()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try connection.first("SELECT count(*) FROM note") == .integer(0))
  }

  @Test func `A job whose task is canceled before it begins never begins`() async throws {
    let job = QueuedJob { _ in }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await job.value { Issue.record("It has begun.") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `A job whose task is canceled while it asks is taken out`() async throws {
    let job = QueuedJob { _ in }
    let isWaiting = Lock(false)
    let task = Task {
      try await job.value(takingOut: {
        guard isWaiting.withLock({ $0 }) else { return false }
        job.refuse(CancellationError())
        return true
      }) {
        withUnsafeCurrentTask { $0?.cancel() }
        isWaiting.withLock { $0 = true }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
