extension CacheRepository {
  /// Sets requirements, has their cache prepared, and goes on as a new process would from there.
  ///
  /// What is prepared is what the source saves and the ledger remembers; nothing is fetched for it.
  /// A fetch that runs is ended.
  package func restart(
    with requirements: Source.Requirements,
    _ prepare: (CachePreparation<Source>) async throws -> Void
  ) async throws {
    self.requirements = requirements
    let binding = try binding()
    try await binding.entry.restart(binding.client, prepare)
  }
}
