internal import Evocation

/// Moves a long log into the file beside the writes, on a connection and a queue of its own.
///
/// Moving waits for the disk, and the writer may run on the main thread.
final class LogMover: Sendable {
  let pool: ConnectionPool
  private let isMoving = Lock(false)
  /// Held while any connection of the database moves the log.
  ///
  /// SQLite refuses a second one immediately.
  private let turn = Lock(())

  init(open: @escaping @Sendable () throws -> Connection) {
    pool = ConnectionPool(capacity: 1, open: open)
  }

  /// Begins to move what it can, unless a move is running.
  ///
  /// `letGo` ends snapshots that no read needs.
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
      // The writer moves the log when it is much longer.
      isMoving.withLock { $0 = false }
    }
  }

  /// Runs `body`, which moves the log on another connection, while no other one moves it.
  func alone<Value>(_ body: () throws -> Value) rethrows -> Value {
    try turn.withLock { _ in try body() }
  }

  /// Returns when no move is running and the connection is closed.
  func close() async {
    await pool.close()
  }
}
