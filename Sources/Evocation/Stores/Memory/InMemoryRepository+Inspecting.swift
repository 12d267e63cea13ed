extension InMemoryRepository {
  /// Nil: the models are in no database.
  package var databaseState: DatabaseState? { nil }

  /// Returns no steps: it looks at the models that it has.
  package func plan(for criteria: Criteria) async throws -> [String] { [] }
}
