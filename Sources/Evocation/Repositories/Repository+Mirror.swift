extension Repository {
  /// Adds or changes the models, then removes what matches and is not among them.
  ///
  /// With a limit, only what stands within the answered page is removed, page by page until the
  /// repository's own page is the answer. With an offset nothing is removed, because what stands
  /// before the page is not known.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    let answered = try Set(ModelID.each(of: models))
    let written = models.isEmpty ? nil : try await storeOrUpdate(models)
    guard criteria.offset == 0 else { return Response([]) }
    var removed: [Model] = []
    while true {
      let held = try await find(criteria).value
      let surplus = try held.selected(byID: { !answered.contains($0) })
      if surplus.isEmpty { break }
      let gone = try await remove(surplus).value
      removed += gone
      if gone.isEmpty || criteria.limit == nil { break }
    }
    return Response(removed, metadata: written?.metadata ?? [:])
  }

  /// Finds those to be kept that match, and mirrors them with the others.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await mirror(models + present(kept, for: criteria), for: criteria)
  }

  /// Those models, as they are now, that mirroring the criteria could remove.
  func present(_ models: [Model], for criteria: Criteria) async throws -> [Model] {
    guard criteria.offset == 0, criteria.limit.map({ $0 > 0 }) ?? true else { return [] }
    let ids = try Set(ModelID.each(of: models))
    return try await find(Criteria(criteria.predicate)).value.selected(byID: ids.contains)
  }
}
