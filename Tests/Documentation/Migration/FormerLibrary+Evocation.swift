extension FormerLibrary {
  static let evocation = FormerLibrary(
    page: "Migrating-from-Evocation-1.md",
    names: [
      "Evocation", "Evocation.shared", "Evocation.RepositoryType", "Proxy", "Proxy<T>",
      "register(for:)", "repository(remote:)", "repository(local:)", "strategy(_:)",
      "find(model:criteria:callback:)", "findOne(model:criteria:callback:)", "store(_:callback:)",
      "storeOne(_:callback:)", "update(_:callback:)", "updateOne(_:callback:)",
      "remove(_:callback:)",
      "model", "models", "criteria", "callback", "completion",
      "Repository", "ModelType",
      "find(criteria:completion:)", "findOne(criteria:completion:)", "store(models:completion:)",
      "storeOne(model:completion:)", "update(models:completion:)", "updateOne(model:completion:)",
      "remove(models:completion:)", "storeOrUpdate(models:completion:)",
      "Result", "Result<T>", "Result.metadata", "Result.data", "Result.origin", "Result.error",
      ".remote", ".local",
      "Strategy", "Strategy(_:)", "Strategy(rules:)", "Strategy.default()", "Strategy.Rule",
      "Strategy.Rule(target:fallback:synchronize:)", "rules", "target", "fallback", "synchronize",
      ".find", ".findOne", ".store", ".storeOne", ".update", ".updateOne", ".remove", ".removeOne",
      "Proxy(_:)", "Proxy.local", "Proxy.remote", "AnyRepository", "AnyRepository<T>",
      "AnyRepository(_:)", "Result(metadata:origin:data:error:)", "copy(with:)", "RepositoryType",
      "EvocationError", "EvocationError<T>", ".rulesNotDefined(for:with:)",
      ".proxyNotFound(for:)", ".missingRepository(type:for:)", "StrategyError", ".invalidRule",
      ".incompleteConfiguration", "Strategy.Action",
    ])
}
