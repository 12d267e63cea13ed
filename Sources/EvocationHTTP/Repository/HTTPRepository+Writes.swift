public import Evocation
import Foundation

extension HTTPRepository {
  /// Adds models by `POST path`: all or none, unless the service takes one model at a time.
  ///
  /// - Throws: `EvocationError.alreadyExists` if the service refuses ids that it has. After a 409
  ///   Evocation asks which of them it has. If it has none or does not say, the error is the
  ///   ``HTTPError`` with the service's message.
  @concurrent public func store(_ models: [Model]) async throws -> Response<[Model]> {
    let write = HTTPWrite(.store, self, of: models.count)
    return try await write.each(models, bulk: routes.store, one: routes.storeOne)
  }

  /// Adds one model by `POST path`.
  @concurrent public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await HTTPWrite(.store, self).one(model, routes.storeOne)
  }

  /// Changes the models that the service has, by `PATCH path`.
  @concurrent public func update(_ models: [Model]) async throws -> Response<[Model]> {
    let write = HTTPWrite(.update, self, of: models.count)
    let areWhole = !models.contains(where: write.mayLack)
    return try await write.each(
      models, bulk: areWhole ? routes.update : nil, one: routes.updateOne)
  }

  /// Changes one model by `PATCH path/id`; the value is nil if the service does not have it.
  @concurrent public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await HTTPWrite(.update, self).one(model, routes.updateOne)
  }

  /// Adds or replaces models by `PUT path`, and a single one by `PUT path/id`.
  @concurrent public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    let write = HTTPWrite(.storeOrUpdate, self, of: models.count)
    // Replacing a model would clear what nobody has read of it.
    let areWhole = !models.contains(where: write.mayLack)
    guard areWhole, let one = routes.storeOrUpdateOne else {
      let bulk = areWhole ? routes.storeOrUpdate : nil
      return try await write.each(models, bulk: bulk) { model, key in
        let update = HTTPWrite(.update, self, key: key, of: models.count, isConditional: false)
        return try await update.updated(orStored: model)
      }
    }
    return try await write.each(models, bulk: routes.storeOrUpdate, one: one)
  }

  /// Removes models by `DELETE path` with their ids as its query.
  @concurrent public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    let write = HTTPWrite(.remove, self, of: models.count)
    return try await write.each(models, bulk: routes.remove, one: routes.removeOne)
  }

  /// Removes one model by `DELETE path/id`; the value is nil if the service does not have it.
  @concurrent public func removeOne(_ model: Model) async throws -> Response<Model?> {
    let write = HTTPWrite(.remove, self)
    return try await write.one(model, routes.removeOne)
  }
}
