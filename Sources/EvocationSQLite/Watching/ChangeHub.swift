internal import Evocation

/// The observers of a table's changes.
final class ChangeHub<Model: Sendable>: TableOwner {
  var model: String { plainName(of: Model.self) }
  var modelType: ObjectIdentifier { ObjectIdentifier(Model.self) }
  /// Notifies the observers after each commit, while the writer is still held.
  ///
  /// Without an observer, a write need not find out its changes.
  let changes = Broadcast<RepositoryChange<Model>>()

  func tellUnknown(version: UInt64) { changes.tell(.unknown(version: version)) }

  func observeAny(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    changes.observe { _ in handler() }
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
