internal import CEvocationSQLite
internal import Evocation

/// The way by which a cancelled task stops the statement that runs for it.
///
/// One is made for each operation, so that a late cancellation never hits the next one.
final class Interruption: Sendable {
  private struct State {
    var isCancelled = false
    var handle: UInt?  // the connection's address, which unlike a pointer may cross threads
  }

  private let state = Lock(State())

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Lets a cancellation reach the connection's statements from now on.
  func attach(_ handle: OpaquePointer) {
    state.withLock { $0.handle = UInt(bitPattern: handle) }
  }

  /// Keeps a cancellation away from whatever the connection does next.
  func detach() {
    state.withLock { $0.handle = nil }
  }

  /// Stops what runs; the lock keeps the connection from being given away meanwhile.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let handle = state.handle { sqlite3_interrupt(OpaquePointer(bitPattern: handle)) }
    }
  }
}
