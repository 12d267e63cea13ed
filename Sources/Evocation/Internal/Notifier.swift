/// Handlers that are called at each event.
package final class Notifier: Sendable {
  private struct State {
    var handlers: [(number: Int, handler: @Sendable () -> Void)] = []
    var lastNumber = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Whether there is any handler.
  package var isObserved: Bool { state.withLock { !$0.handlers.isEmpty } }

  /// Calls the handlers, outside the lock.
  package func tell() {
    for (_, handler) in state.withLock({ $0.handlers }) { handler() }
  }

  /// Adds a handler until the observation ends.
  package func observe(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers.append((state.lastNumber, handler))
      return state.lastNumber
    }
    return Evocation.Observation { [weak self] in
      // Released outside the lock, because that may run a deinit of the app's.
      let removed = self?.state.withLock { state in
        let removed = state.handlers.filter { $0.number == number }
        state.handlers.removeAll { $0.number == number }
        return removed
      }
      withExtendedLifetime(removed) {}
    }
  }
}
