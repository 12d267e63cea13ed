extension InMemoryRepository: InspectedLocal {
  /// Nil: the models are in no database.
  package var inspectedFile: Inspection.File? { nil }

  /// Returns no steps: it looks at the models that it has.
  package func plan(for criteria: Criteria) async throws -> [String] { [] }
}
