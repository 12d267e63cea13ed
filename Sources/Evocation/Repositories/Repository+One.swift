extension Repository {
  /// Asks ``find(_:)`` for one model.
  @inlinable
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await find(criteria.limit(1)).first
  }

  /// Asks ``find(_:)``, and counts.
  @inlinable
  public func count(_ criteria: Criteria) async throws -> Int {
    try await find(criteria).value.count
  }

  /// Asks ``findOne(_:)``.
  @inlinable
  public func exists(_ criteria: Criteria) async throws -> Bool {
    try await findOne(criteria).value != nil
  }

  /// Asks ``store(_:)`` with one model.
  @inlinable
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await store([model]).first
  }

  /// Asks ``update(_:)`` with one model.
  @inlinable
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await update([model]).first
  }

  /// Asks ``remove(_:)`` with one model.
  @inlinable
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await remove([model]).first
  }
}
