/// A value that comes once, and that one task may wait for.
///
/// The value crosses under a lock and not through the continuation, so that ThreadSanitizer can
/// follow it on Linux too.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  package init() {}

  /// Gives the value, unless there is one already; answers whether it was taken.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    let (taken, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      guard state.value == nil else { return (false, nil) }
      state.value = value
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?.resume()
    return taken
  }

  /// The value, if it is there.
  package var present: Value? { state.withLock { $0.value } }

  /// Whether the value is there.
  package var isFulfilled: Bool { state.withLock { $0.value != nil } }

  /// The value, as soon as it is there.
  package var value: Value {
    get async {
      while true {
        if let value = state.withLock({ $0.value }) { return value }
        await withCheckedContinuation { continuation in
          let isThere = state.withLock { state in
            guard state.value == nil else { return true }
            state.waiter = continuation
            return false
          }
          if isThere { continuation.resume() }
        }
      }
    }
  }
}
