extension Repository {
  /// Asks ``find(_:)`` for one model.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await find(criteria.limit(1)).first
  }

  /// Asks ``store(_:)`` with one model.
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await store([model]).first
  }

  /// Asks ``update(_:)`` with one model.
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await update([model]).first
  }

  /// Asks ``remove(_:)`` with one model.
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await remove([model]).first
  }
}
