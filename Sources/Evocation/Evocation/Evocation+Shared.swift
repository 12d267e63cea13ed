public import Foundation

// The calls of ``Evocation/shared``: each does what the method of the same name does.
extension Evocation {
  /// The outbox of ``shared``.
  public static var outbox: Outbox { shared.outbox }

  /// Creates a cache of a registered model type, through ``shared``.
  public static func cache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, maxAge: Duration? = nil,
    options: CacheOptions = .init()
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    shared.cache(model, where: criteria, maxAge: maxAge, options: options)
  }

  /// Creates a cache of a registered model type, for criteria with keys as text, through ``shared``.
  public static func cache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, maxAge: Duration? = nil,
    options: CacheOptions = .init()
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    shared.cache(model, where: criteria, maxAge: maxAge, options: options)
  }

  /// Creates a list that is loaded page by page, through ``shared``.
  public static func pagingCache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, pageSize: Int,
    maxAge: Duration? = nil, options: ListOptions = .init()
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    shared.pagingCache(
      model, where: criteria, pageSize: pageSize, maxAge: maxAge, options: options)
  }

  /// Creates a list that is loaded page by page, for criteria with keys as text, through ``shared``.
  public static func pagingCache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, pageSize: Int,
    maxAge: Duration? = nil, options: ListOptions = .init()
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    shared.pagingCache(
      model, where: criteria, pageSize: pageSize, maxAge: maxAge, options: options)
  }

  /// Counts the models that match, by the rule for `find`, through ``shared``.
  public static func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Int> {
    await shared.count(model: model, criteria: criteria, rule: rule)
  }

  /// Counts the models that match, by the rule for `find`, through ``shared``.
  @discardableResult
  public static func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Int>) -> Void
  ) -> Task<Void, Never> {
    shared.count(model: model, criteria: criteria, rule: rule, callback: callback)
  }

  /// Returns whether a model matches, by the rule for `find`, through ``shared``.
  public static func exists<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Bool> {
    await shared.exists(model: model, criteria: criteria, rule: rule)
  }

  /// Returns whether a model matches, by the rule for `find`, through ``shared``.
  @discardableResult
  public static func exists<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Bool>) -> Void
  ) -> Task<Void, Never> {
    shared.exists(model: model, criteria: criteria, rule: rule, callback: callback)
  }

  /// Returns all models that match, in the order of the criteria, through ``shared``.
  public static func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.find(model: model, criteria: criteria, rule: rule)
  }

  /// Returns all models that match, in the order of the criteria, through ``shared``.
  @discardableResult
  public static func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.find(model: model, criteria: criteria, rule: rule, callback: callback)
  }

  /// Returns the first model that matches, through ``shared``.
  @inlinable
  public static func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await shared.findOne(model: model, criteria: criteria, rule: rule)
  }

  /// Returns the first model that matches, through ``shared``.
  @inlinable
  @discardableResult
  public static func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.findOne(model: model, criteria: criteria, rule: rule, callback: callback)
  }

  /// Returns all models that match, through ``shared``.
  public static func find<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false, limit: Int? = nil,
    rule: Strategy.Rule? = nil
  ) async throws -> [Model] {
    try await shared.find(
      model, where: criteria, sortedBy: key, descending: descending, limit: limit, rule: rule)
  }

  /// Returns all models that match criteria with keys as text, through ``shared``.
  public static func find<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false, limit: Int? = nil,
    rule: Strategy.Rule? = nil
  ) async throws -> [Model] {
    try await shared.find(
      model, where: criteria, sortedBy: key, descending: descending, limit: limit, rule: rule)
  }

  /// Returns the model with this id, through ``shared``; nil if there is none.
  public static func findOne<Model: Identifiable & Sendable>(
    _ model: Model.Type, id: Model.ID, rule: Strategy.Rule? = nil
  ) async throws -> Model? {
    try await shared.findOne(model, id: id, rule: rule)
  }

  /// Returns the first model that matches, through ``shared``; nil if there is none.
  public static func findOne<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false,
    rule: Strategy.Rule? = nil
  ) async throws -> Model? {
    try await shared.findOne(
      model, where: criteria, sortedBy: key, descending: descending, rule: rule)
  }

  /// Returns the first model that matches criteria with keys as text, through ``shared``.
  public static func findOne<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false,
    rule: Strategy.Rule? = nil
  ) async throws -> Model? {
    try await shared.findOne(
      model, where: criteria, sortedBy: key, descending: descending, rule: rule)
  }

  /// Returns how many models match, through ``shared``.
  public static func count<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, rule: Strategy.Rule? = nil
  ) async throws -> Int {
    try await shared.count(model, where: criteria, rule: rule)
  }

  /// Returns how many models match criteria with keys as text, through ``shared``.
  public static func count<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async throws -> Int {
    try await shared.count(model, where: criteria, rule: rule)
  }

  /// Returns whether a model matches, through ``shared``.
  public static func exists<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, rule: Strategy.Rule? = nil
  ) async throws -> Bool {
    try await shared.exists(model, where: criteria, rule: rule)
  }

  /// Returns whether a model matches criteria with keys as text, through ``shared``.
  public static func exists<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async throws -> Bool {
    try await shared.exists(model, where: criteria, rule: rule)
  }

  /// Returns the present result, and then each one that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    shared.observe(model: model, criteria: criteria)
  }

  /// Returns the present result, and then each one that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>
  ) -> some ObservedSequence<Result<[Model]>> {
    shared.observe(model, where: criteria)
  }

  /// Returns the present result, and then each one that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    shared.observe(model, where: criteria)
  }

  /// Returns the model with this id, and then each state of it that differs, through ``shared``.
  public static func observe<Model: Identifiable & Sendable>(
    _ model: Model.Type, id: Model.ID
  ) -> some ObservedSequence<Result<Model>> {
    shared.observe(model, id: id)
  }

  /// Calls back with the present result, and then with each one that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    model: Model.Type,
    criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Observation {
    shared.observe(model: model, criteria: criteria, callback: callback)
  }

  /// Fetches models from the remote repository into the local one, through ``shared``.
  @discardableResult
  public static func prefetch<Model: Sendable>(
    _ model: Model.Type, criteria: Criteria? = nil, maxAge: Duration = .zero,
    progress: Progress? = nil
  ) async -> Result<Int> {
    await shared.prefetch(model, criteria: criteria, maxAge: maxAge, progress: progress)
  }

  /// Fetches models for criteria from key paths into the local repository, through ``shared``.
  @discardableResult
  public static func prefetch<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, maxAge: Duration = .zero,
    progress: Progress? = nil
  ) async -> Result<Int> {
    await shared.prefetch(model, where: criteria, maxAge: maxAge, progress: progress)
  }

  /// Returns when all models for these criteria were local for the first time, through ``shared``.
  public static func firstSync<Model: Sendable>(
    of model: Model.Type, criteria: Criteria? = nil
  ) async -> Date? {
    await shared.firstSync(of: model, criteria: criteria)
  }

  /// Registers a model type with both repositories and a strategy, through ``shared``.
  @discardableResult
  public static func register<Model: Sendable>(
    _ model: Model.Type, remote: some Repository<Model>, local: some Repository<Model>,
    strategy: Strategy, _ declare: ((Proxy<Model>) throws -> Void)? = nil
  ) throws -> Proxy<Model> {
    try shared.register(model, remote: remote, local: local, strategy: strategy, declare)
  }

  /// Registers a model type with a remote repository alone, through ``shared``.
  @discardableResult
  public static func register<Model: Sendable>(
    _ model: Model.Type, remote: some Repository<Model>, strategy: Strategy = .remoteOnly,
    _ declare: ((Proxy<Model>) throws -> Void)? = nil
  ) throws -> Proxy<Model> {
    try shared.register(model, remote: remote, strategy: strategy, declare)
  }

  /// Registers a model type with a local repository alone, through ``shared``.
  @discardableResult
  public static func register<Model: Sendable>(
    _ model: Model.Type, local: some Repository<Model>, strategy: Strategy = .localOnly,
    _ declare: ((Proxy<Model>) throws -> Void)? = nil
  ) throws -> Proxy<Model> {
    try shared.register(model, local: local, strategy: strategy, declare)
  }

  /// Removes models by their ids, through ``shared``.
  public static func remove<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.remove(models, rule: rule)
  }

  /// Removes models by their ids, through ``shared``.
  @discardableResult
  public static func remove<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.remove(models, rule: rule, callback: callback)
  }

  /// Removes a model by its id, through ``shared``.
  @inlinable
  public static func removeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await shared.removeOne(model, rule: rule)
  }

  /// Removes a model by its id, through ``shared``.
  @inlinable
  @discardableResult
  public static func removeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.removeOne(model, rule: rule, callback: callback)
  }

  /// Inserts models: all of them, or none if one with the same id exists, through ``shared``.
  public static func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.store(models, rule: rule)
  }

  /// Inserts models: all of them, or none if one with the same id exists, through ``shared``.
  @discardableResult
  public static func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.store(models, rule: rule, callback: callback)
  }

  /// Inserts a model, unless one with its id exists, through ``shared``.
  @inlinable
  public static func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await shared.storeOne(model, rule: rule)
  }

  /// Inserts a model, unless one with its id exists, through ``shared``.
  @inlinable
  @discardableResult
  public static func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.storeOne(model, rule: rule, callback: callback)
  }

  /// Inserts new models and updates existing ones, by the rule for `store`, through ``shared``.
  public static func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.storeOrUpdate(models, rule: rule)
  }

  /// Inserts new models and updates existing ones, by the rule for `store`, through ``shared``.
  @discardableResult
  public static func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.storeOrUpdate(models, rule: rule, callback: callback)
  }

  /// Updates those of the models that exist, through ``shared``.
  public static func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.update(models, rule: rule)
  }

  /// Updates those of the models that exist, through ``shared``.
  @discardableResult
  public static func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.update(models, rule: rule, callback: callback)
  }

  /// Updates a model, if it exists, through ``shared``.
  @inlinable
  public static func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await shared.updateOne(model, rule: rule)
  }

  /// Updates a model, if it exists, through ``shared``.
  @inlinable
  @discardableResult
  public static func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.updateOne(model, rule: rule, callback: callback)
  }
}
