extension InMemoryRepository {
  /// Adds or changes the models, and removes what matches and is not among them, in one commit.
  ///
  /// With a limit, only what stands within the answered page is removed. With an offset nothing
  /// is, because what stands before the page is not known.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await mirror(models, for: criteria, keeping: [])
  }

  /// Does the same, and leaves some models as they are, in one commit.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try Cancellation.check()
    let schema = try ModelSchema.of(Model.self)
    var everything = try criteria.resolved(against: schema)
    everything.limit = nil
    let entries = entries(models).lastOfEach()
    let keptIDs = Set(self.entries(kept).map { $0.id })
    let removed = try commitCopy { state in
      var changes = state.put(entries)
      guard criteria.offset == 0 else { return changes }
      let held = try Self.select(everything, from: state.ordered, schema)
      let surplus = Self.surplus(
        held.filter { !keptIDs.contains($0.id) }, Set(entries.map { $0.id }),
        criteria.limit.map { max(0, $0) })
      changes.removed = state.remove(surplus).map { $0.model }
      return changes
    }.removed
    return Response(removed)
  }

  /// What has to go for the first page to hold nothing but what was answered.
  private static func surplus(
    _ held: [Entry], _ answered: Set<ModelID>, _ limit: Int?
  ) -> [ModelID] {
    var kept = 0
    var surplus: [ModelID] = []
    for entry in held {
      if kept == limit { break }
      if answered.contains(entry.id) { kept += 1 } else { surplus.append(entry.id) }
    }
    return surplus
  }
}
