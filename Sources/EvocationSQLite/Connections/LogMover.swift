internal import Evocation

/// Moves a long log into the file beside what is written, on a connection and a queue of its own.
///
/// Moving waits for the disk, and the writer may run where the main thread is.
final class LogMover: Sendable {
  let pool: ConnectionPool
  private let isMoving = Lock(false)
  /// Held by whoever of the database moves the log: SQLite refuses a second one at once.
  private let turn = Lock(())

  init(open: @escaping @Sendable () throws -> Connection) {
    pool = ConnectionPool(capacity: 1, open: open)
  }

  /// Begins to move what it can, unless that is under way; `letGo` ends the snapshots that nobody needs.
  func begin(_ letGo: (@Sendable () -> Void)?) {
    let isFirst = isMoving.withLock { isMoving in
      defer { isMoving = true }
      return !isMoving
    }
    guard isFirst else { return }
    pool.begin { [turn, isMoving] connection in
      letGo?()
      turn.withLock { _ in connection.moveLog() }
      isMoving.withLock { $0 = false }
    } orElse: { [isMoving] in
      // The writer moves it when it is much longer.
      isMoving.withLock { $0 = false }
    }
  }

  /// Runs what moves the log on another connection, when nobody else does.
  func alone<Value>(_ body: () throws -> Value) rethrows -> Value {
    try turn.withLock { _ in try body() }
  }

  /// Ends when nothing is moved any more, and the connection is closed.
  func close() async {
    await pool.close()
  }
}
