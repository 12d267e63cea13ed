/// A value that is set once, with any number of waiters.
///
/// The value is passed under a lock and not by the continuation, so that ThreadSanitizer can follow
/// it on Linux too.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    /// The first waiter; most promises have no other, and need no list.
    var waiter: (@Sendable () -> Void)?
    var others: [@Sendable () -> Void] = []

    mutating func add(_ waiter: @escaping @Sendable () -> Void) {
      if self.waiter == nil { self.waiter = waiter } else { others.append(waiter) }
    }
  }

  private let state = Lock(State())

  package init() {}

  /// Sets the value; false if there already was one.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> State? in
      guard state.value == nil else { return nil }
      defer { state = State(value: value) }
      return state
    }
    guard let waiting else { return false }
    waiting.waiter?()
    for waiter in waiting.others { waiter() }
    return true
  }

  /// The value; nil while there is none.
  package var present: Value? { state.withLock { $0.value } }

  /// Whether there is a value.
  package var isFulfilled: Bool { present != nil }

  /// Calls the waiter when there is a value, immediately if there already is one.
  package func whenFulfilled(_ waiter: @escaping @Sendable () -> Void) {
    let isThere = state.withLock { state in
      if state.value == nil { state.add(waiter) }
      return state.value != nil
    }
    if isThere { waiter() }
  }

  /// The value, as soon as there is one.
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

extension Promise {
  /// Waits for the value, and sets this one, for all that wait, if the task is canceled before.
  package func value(
    ifCancelled cancelled: @escaping @autoclosure @Sendable () -> Value
  ) async -> Value {
    await withCancellationHandler {
      await value
    } onCancel: {
      fulfil(cancelled())
    }
  }

  /// Waits no longer than this, and then sets the second value.
  package func value(
    within limit: Duration?, by time: TimeSource, else late: Value, ifCancelled cancelled: Value
  ) async -> Value {
    let timer = limit.map { limit in
      Task { if (try? await time.sleep(limit)) != nil { fulfil(late) } }
    }
    defer { timer?.cancel() }
    return await value(ifCancelled: cancelled)
  }
}

extension Promise where Value == Void {
  package func fulfil() { fulfil(()) }
}
