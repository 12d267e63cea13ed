/// Undoing a write in local that the remote refused.
extension Call {
  /// Returns the instances of the write as local has them now.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)``, and errors of the repository.
  func held() async throws -> [Model] {
    let models = operation.models
    let ids = try ModelID.each(of: models)
    if let outbox = wiring.binding.outbox {
      return try await outbox.look(isShort: models.count == 1) { transaction in
        try models.compactMap { try transaction.held($0) }
      }
    }
    guard let local = wiring.local else { return [] }
    if let keyed = local.role((any KeyedRepository<Model>).self) {
      return Array(keyed.models(ids).values)
    }
    return try await local.find(Self.criteria(of: ids)).value
      .selected(byID: Set(ids).contains)
  }

  /// Returns the criteria by which a plain repository finds the models.
  ///
  /// They name the ids, if these are single values under one coding key. Otherwise they match
  /// all models, because no key names an id that is computed or has several parts.
  private static func criteria(of ids: [ModelID]) -> Criteria {
    let access = ModelAccess<Model>.make()
    guard access?.isListable ?? true, ids.allSatisfy({ $0.scalars.count == 1 }) else {
      return Criteria()
    }
    return Criteria(.isIn(access?.identity.key ?? "id", ids.flatMap(\.scalars)))
  }

  /// Restores the earlier models in local, in one transaction if the repository has transactions.
  ///
  /// - Parameters:
  ///   - type: The repository that undoes its write.
  ///   - former: Its models before the write.
  ///   - written: Its answer to the write.
  /// - Returns: The metadata of the undoing.
  func rollBack(
    _ type: Evocation.RepositoryType, to former: [Model], written: [Model]
  ) async -> Evocation.Metadata {
    let start = proxy.environment.time.now()
    var entry = Evocation.Metadata(role: .rollback)
    do {
      guard let local = wiring[type] else {
        throw EvocationError.missingRepository(type, model: proxy.model)
      }
      let held = try Set(ModelID.each(of: former))
      let new = try written.selected { !held.contains($0) }
      let actions: [StoreWrite<Model>.Change] =
        (new.isEmpty || operation.action.isRemoval ? [] : [.remove(new)])
        + (former.isEmpty ? [] : [.storeOrUpdate(former)])
      // Undone even if the caller was canceled.
      let commit = try await Task { try await local.write(StoreWrite(actions)) }.value
      entry.count = commit.answers.reduce(0) { $0 + $1.count }
    } catch {
      entry.error = error
    }
    entry.duration = proxy.environment.time.now() - start
    return entry
  }
}
