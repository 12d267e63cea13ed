internal import Evocation

/// Limits the running streams, each of which has a connection and its files to itself.
///
/// Streams do not use readers, so that streams that were read halfway never keep a read waiting.
final class StreamPlaces: Sendable {
  private typealias Waiter = Promise<Result<Void, any Error>>

  private struct State {
    var free: Int
    var waiters: [Waiter] = []
    var isClosed = false
  }

  private let state: Lock<State>

  init(_ count: Int = 32) {
    state = Lock(State(free: count))
  }

  /// Waits for a free place, after earlier requests.
  ///
  /// Canceling the task ends the wait.
  func take() async throws {
    let waiter = Waiter()
    let waits = try state.withLock { state in
      if state.isClosed { throw SQLiteError.closed }
      guard state.free == 0 else {
        state.free -= 1
        return false
      }
      state.waiters.append(waiter)
      return true
    }
    guard waits else { return }
    try await withTaskCancellationHandler {
      try await waiter.value.get()
    } onCancel: {
      let isWaiting = state.withLock { state in
        let count = state.waiters.count
        state.waiters.removeAll { $0 === waiter }
        return state.waiters.count < count
      }
      if isWaiting { waiter.fulfil(.failure(CancellationError())) }
    }
  }

  /// Passes the place to the request that waits longest.
  func giveBack() {
    let next = state.withLock { state -> Waiter? in
      if state.waiters.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.fulfil(.success(()))
  }

  /// Refuses waiting and later requests.
  func close() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isClosed = true
      return state.waiters
    }
    for waiter in waiters { waiter.fulfil(.failure(SQLiteError.closed)) }
  }
}
