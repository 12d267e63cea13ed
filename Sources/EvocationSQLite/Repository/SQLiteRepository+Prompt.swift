package import Evocation

/// Calls on one model that are one statement, on the caller's thread.
extension SQLiteRepository {
  /// Returns the model that the criteria select by its key, or none; nil for other criteria, or if
  /// the read would have to wait.
  ///
  /// - Throws: ``SQLiteError``; what the model's coding throws.
  package func findOneNow(_ criteria: Criteria) throws -> [Model]? {
    guard let key = table.key(of: criteria) else { return nil }
    return try database.readingNow { try table.read(key, $0) }
  }

  /// Writes a model while there are no observers.
  ///
  /// SQLite commits a single statement automatically, which costs half as much as a transaction
  /// around it ("storeOne, Evocation"). Returns nil, and writes nothing, if there are observers, a
  /// removed model has to be read first, an id is taken, or the write would have to wait.
  ///
  /// - Throws: ``SQLiteError``; what the model's coding throws.
  package func writeNow(_ kind: Outbox.EntryKind, _ model: Model) throws -> [Model]? {
    let sql =
      switch kind {
      case .store: table.insert
      case .update: table.update
      case .storeOrUpdate: table.upsert
      case .remove: ""
      }
    guard !sql.isEmpty, !hub.changes.isObserved else { return nil }
    let hasWritten = try database.now(database.writer) { connection in
      let hasWritten = try table.writer(sql, connection).writeAlone(model)
      // An observer that began during the write gets an unknown change.
      if hasWritten, hub.changes.isObserved { hub.tellUnknown(version: connection.version) }
      if var others = connection.takeAlsoChanged() {
        _ = others.remove(table.queueName)
        database.tellUnknown(others, version: connection.version)
      }
      return hasWritten
    }
    guard let hasWritten else { return nil }
    if hasWritten { return [model] }
    return kind == .update ? [] : nil
  }
}
