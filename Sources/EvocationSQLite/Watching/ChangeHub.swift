internal import Evocation

/// The observers of a table's changes.
final class ChangeHub<Model: Sendable>: TableOwner {
  typealias Handler = @Sendable (RepositoryChange<Model>) -> Void

  private struct State {
    var handlers: [(number: Int, handler: Handler)] = []
    var lastNumber = 0
  }

  let model = String(reflecting: Model.self)
  var modelType: ObjectIdentifier { ObjectIdentifier(Model.self) }
  private let state = Lock(State())
  /// The number of handlers.
  ///
  /// It is not part of the state, because each write reads it, and reading a generic struct costs
  /// more than all the rest (`storeOne`).
  private let count = Lock(0)

  /// Whether there is an observer.
  ///
  /// Without one, a write need not find out its changes.
  var isObserved: Bool { count.withLock { $0 > 0 } }

  /// Notifies the observers of a change.
  ///
  /// Called after a commit, while the writer is still held.
  func tell(_ change: RepositoryChange<Model>) {
    // A closure is used because a key path into a generic type is created again at each use.
    for (_, handler) in state.withLock({ $0.handlers }) { handler(change) }
  }

  func tellUnknown(version: UInt64) { tell(.unknown(version: version)) }

  func observeAny(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    observe { _ in handler() }
  }

  func observe(_ handler: @escaping Handler) -> Evocation.Observation {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers.append((state.lastNumber, handler))
      count.withLock { $0 = state.handlers.count }
      return state.lastNumber
    }
    return Evocation.Observation { [weak self] in
      // Released outside of the lock, because that may run a deinitializer of the app.
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

/// The model type of each table, and the observers of its changes.
struct TableRegistry {
  private var tables: [String: any TableOwner] = [:]

  /// All tables with a repository.
  var all: [any TableOwner] { Array(tables.values) }

  /// The owner of a table.
  ///
  /// Names that differ only in case are the same, as in SQLite.
  subscript(table: String) -> (any TableOwner)? {
    get { tables[table.lowercased()] }
    set { tables[table.lowercased()] = newValue }
  }
}

/// The part of a ``ChangeHub`` that does not depend on its model type.
protocol TableOwner: AnyObject, Sendable {
  /// The model type's full name, for sentences.
  var model: String { get }
  var modelType: ObjectIdentifier { get }

  /// Calls the handler after each commit that touched the table.
  func observeAny(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation

  /// Notifies the observers of a change with unknown models.
  func tellUnknown(version: UInt64)
}
