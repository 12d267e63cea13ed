extension Evocation {
  /// Registers a model type with both repositories and a strategy, after checking that they fit.
  ///
  /// ```swift
  /// try Evocation.shared.register(
  ///   Car.self, remote: HTTPRepository(service, "cars"), local: try SQLiteRepository(database),
  ///   strategy: .offlineFirst)
  /// ```
  ///
  /// It replaces an earlier registration of the type. Running calls continue with the earlier
  /// repositories, and writes stay in order across both registrations. Set anything else that a
  /// model type needs on the returned ``Proxy``, such as ``Proxy/conflicts(detectedBy:_:)``.
  ///
  /// - Parameters:
  ///   - model: The model type.
  ///   - remote: The repository of the server.
  ///   - local: The repository on this device.
  ///   - strategy: Which repository Evocation asks first, and when it writes results to the second
  ///     one.
  /// - Returns: The proxy of the model type.
  /// - Throws: The errors of ``Proxy/validate()``. An earlier registration then stays as it is.
  @discardableResult
  public func register<Model: Sendable>(
    _ model: Model.Type, remote: some Repository<Model>, local: some Repository<Model>,
    strategy: Strategy
  ) throws -> Proxy<Model> {
    try register(remote, local, strategy: strategy)
  }

  /// Registers a model type with a remote repository alone.
  ///
  /// - Throws: The errors of ``Proxy/validate()``, for example if the strategy needs a local
  ///   repository.
  @discardableResult
  public func register<Model: Sendable>(
    _ model: Model.Type, remote: some Repository<Model>, strategy: Strategy = .remoteOnly
  ) throws -> Proxy<Model> {
    try register(remote, nil, strategy: strategy)
  }

  /// Registers a model type with a local repository alone.
  ///
  /// - Throws: The errors of ``Proxy/validate()``, for example if the strategy needs a remote
  ///   repository.
  @discardableResult
  public func register<Model: Sendable>(
    _ model: Model.Type, local: some Repository<Model>, strategy: Strategy = .localOnly
  ) throws -> Proxy<Model> {
    try register(nil, local, strategy: strategy)
  }

  private func register<Model: Sendable>(
    _ remote: (any Repository<Model>)?, _ local: (any Repository<Model>)?, strategy: Strategy
  ) throws -> Proxy<Model> {
    // Created before the registry takes its lock, because this calls your repository and your
    // clock.
    let former = registry.proxy(for: Model.self)?.binding
    let binding = local.map { LocalBinding($0, after: former, at: environment.date()) }
    let wiring = Wiring(
      remote: remote, local: local, strategy: strategy, binding: binding ?? LocalBinding(nil))
    try wiring.check("\(Model.self)")
    if let local { try environment.signOutRecovery.add(local) }
    let proxy = registry.register(Model.self) {
      Proxy(line: $0, log: $1, environment: environment, after: $2?.binding, wiring: wiring)
    }
    proxy.notifyRegistered()
    return proxy
  }
}
