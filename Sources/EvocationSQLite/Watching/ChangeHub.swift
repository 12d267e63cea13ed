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
///
/// Names that differ only in case are the same, as in SQLite.
struct TableRegistry {
  private var tables: [String: any TableOwner] = [:]
  /// The observers of tables without a repository.
  private var plain: [String: ChangeHub<Never>] = [:]
  /// Finds rows that models cannot be decoded from, by table.
  private var problems: [String: Problem] = [:]

  /// Returns a sentence for what is wrong in a table; nil if nothing is.
  typealias Problem = @Sendable (Connection) throws -> String?

  /// All tables with a repository or an observer.
  var all: [any TableOwner] { Array(tables.values) + Array(plain.values) }

  /// The owner of a table; nil if it has no repository.
  subscript(table: String) -> (any TableOwner)? { tables[table.lowercased()] }

  /// Makes it the owner of a table, and returns who observed the table before, to notify them.
  mutating func register(
    _ owner: any TableOwner, of table: String, problem: Problem? = nil
  ) -> (any TableOwner)? {
    let name = table.lowercased()
    (tables[name], problems[name]) = (owner, problem)
    return plain.removeValue(forKey: name)
  }

  /// Finds what is wrong in each table, in the order of their names.
  var allProblems: [Problem] { problems.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the names of the tables of a model type, in lowercase.
  func names(of model: ObjectIdentifier) -> Set<String> {
    Set(tables.filter { $0.value.modelType == model }.keys)
  }

  /// Returns the tables of these names in lowercase that have a repository or an observer.
  func known(_ names: Set<String>) -> [any TableOwner] {
    names.compactMap { tables[$0] ?? plain[$0] }
  }

  /// Returns the one who knows of changes of a table; its name is in lowercase.
  mutating func observable(_ table: String) -> any TableOwner {
    if let known = tables[table] ?? plain[table] { return known }
    let hub = ChangeHub<Never>()
    plain[table] = hub
    return hub
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
