internal import Evocation

/// Who wants to know of a table's changes.
final class ChangeHub<Model: Sendable>: TableOwner {
  typealias Handler = @Sendable (RepositoryChange<Model>) -> Void

  private struct State {
    var handlers: [(number: Int, handler: Handler)] = []
    var lastNumber = 0
  }

  let model = String(reflecting: Model.self)
  private let state = Lock(State())
  /// How many listen, beside the state, because each write asks and a look into what generic types
  /// hold costs more than the rest of the question (`storeOne`).
  private let count = Lock(0)

  /// Whether anybody listens, so that changes need not be told apart for nobody.
  var isObserved: Bool { count.withLock { $0 > 0 } }

  /// Tells of a change; the one who commits calls it while it still has the writer.
  func tell(_ change: RepositoryChange<Model>) {
    // A closure, because a key path into what a generic type holds is made anew at each use.
    for (_, handler) in state.withLock({ $0.handlers }) { handler(change) }
  }

  func tellUnknown(version: UInt64) { tell(.unknown(version: version)) }

  func observe(_ handler: @escaping Handler) -> Evocation.Observation {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers.append((state.lastNumber, handler))
      count.withLock { $0 = state.handlers.count }
      return state.lastNumber
    }
    return Evocation.Observation { [weak self] in
      // It is let go of after the lock, because that may end an app's own objects.
      let removed = self?.state.withLock { state in
        let removed = state.handlers.filter { $0.number == number }
        state.handlers.removeAll { $0.number == number }
        self?.count.withLock { $0 = state.handlers.count }
        return removed
      }
      withExtendedLifetime(removed) {}
    }
  }
}
