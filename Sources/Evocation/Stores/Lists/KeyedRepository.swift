/// A repository that finds models by their ids without a search.
package protocol KeyedRepository<Model>: Repository {
  /// Returns the models with these ids that exist.
  func models(_ ids: [ModelID]) -> [ModelID: Model]
}

extension InMemoryRepository {
  package func models(_ ids: [ModelID]) -> [ModelID: Model] {
    let (present, _) = present
    return ids.reduce(into: [:]) { models, id in models[id] = present[id]?.model }
  }
}

extension Repository {
  /// How many ids one call requests.
  private static var idsAtATime: Int { 500 }

  /// Returns the models with these ids that exist.
  package func models(
    withIDs ids: [ModelID], _ access: ModelAccess<Model>
  ) async throws -> [ModelID: Model] {
    if let keyed = self as? any KeyedRepository<Model> { return keyed.models(ids) }
    var found: [ModelID: Model] = [:]
    var rest = ids[...]
    while !rest.isEmpty {
      let some = rest.prefix(Self.idsAtATime)
      rest = rest.dropFirst(some.count)
      let criteria = Criteria(.isIn(access.identity.key ?? "id", some.flatMap(\.scalars)))
      for model in try await find(criteria).value { found[try access.id(model)] = model }
    }
    return found
  }
}
