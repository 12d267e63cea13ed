internal import CEvocationSQLite
internal import Evocation

/// Stops the running statement of a canceled task.
///
/// Each operation has its own, so that a late cancellation never stops the next one.
final class Interruption: Sendable {
  private struct State {
    var isCancelled = false
    var handle: UInt?  // the connection's address, which unlike a pointer may cross threads
  }

  private let state = Lock(State())

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Lets a cancellation stop the connection's statements from now on.
  func attach(_ handle: OpaquePointer) {
    state.withLock { $0.handle = UInt(bitPattern: handle) }
  }

  /// Protects the connection's later statements from a cancellation.
  func detach() {
    state.withLock { $0.handle = nil }
  }

  /// Stops the running statement.
  ///
  /// Until then, the lock prevents the connection from being lent again.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let handle = state.handle { sqlite3_interrupt(OpaquePointer(bitPattern: handle)) }
    }
  }
}
