/// A value that is given once, and that one waiter may wait for.
///
/// The value is passed under a lock and not by the continuation, so that ThreadSanitizer can follow
/// it on Linux too.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiter: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  package init() {}

  /// Gives the value; false when there was one already.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    let (taken, waiter) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard state.value == nil else { return (false, nil) }
      state.value = value
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?()
    return taken
  }

  /// The value, if it is there.
  package var present: Value? { state.withLock { $0.value } }

  /// Whether the value is there.
  package var isFulfilled: Bool { present != nil }

  /// Calls the waiter as soon as there is a value, at once if there is one already.
  package func whenFulfilled(_ waiter: @escaping @Sendable () -> Void) {
    let isThere = state.withLock { state in
      if state.value == nil { state.waiter = waiter }
      return state.value != nil
    }
    if isThere { waiter() }
  }

  /// The value, as soon as it is there.
  package var value: Value {
    get async {
      while true {
        if let value = present { return value }
        await withCheckedContinuation { continuation in
          whenFulfilled { continuation.resume() }
        }
      }
    }
  }
}

extension Promise where Value == Void {
  package func fulfil() { fulfil(()) }
}
