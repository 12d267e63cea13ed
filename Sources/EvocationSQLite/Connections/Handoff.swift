internal import Evocation

/// A result on its way from one thread to whoever waits for it.
///
/// It crosses under a lock and not through the continuation, because ThreadSanitizer does not see
/// what a continuation that a dispatch queue resumes has carried.
final class Handoff<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var wake: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  /// Gives the result, once.
  func put(_ result: Result<Value, any Error>) {
    let wake = state.withLock { state in
      state.result = result
      defer { state.wake = nil }
      return state.wake
    }
    wake?()
  }

  /// Calls `wake` once there is a result: at once if there is one already.
  func whenPut(_ wake: @escaping @Sendable () -> Void) {
    let isThere = state.withLock { state in
      if state.result == nil { state.wake = wake }
      return state.result != nil
    }
    if isThere { wake() }
  }

  /// Waits for the result without keeping a thread.
  func value() async throws -> Value {
    await withCheckedContinuation { continuation in
      whenPut { continuation.resume() }
    }
    return try take()
  }

  /// Takes what was put.
  func take() throws -> Value {
    let result = state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
    guard let result else { throw CancellationError() }
    return try result.get()
  }
}
