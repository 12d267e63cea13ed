extension Evocation {
  /// Registers a model type with both repositories and a strategy, after checking that they fit.
  ///
  /// ```swift
  /// try Evocation.shared.register(
  ///   Car.self, remote: HTTPRepository(service, "cars"), local: try SQLiteRepository(database),
  ///   strategy: .offlineFirst)
  /// ```
  ///
  /// Declare everything else that the model type needs in the closure, such as
  /// ``Proxy/conflicts(detectedBy:_:)``. Then nothing is missing when the outbox sends the first write
  /// of an earlier launch.
  ///
  /// ```swift
  /// try evocation.register(
  ///   Remark.self, remote: remarks, local: SQLiteRepository(database), strategy: .offlineFirst
  /// ) { remark in
  ///   remark.sends(after: Note.self, by: \.noteID).conflicts { try .mergedByFields($0) }
  /// }
  /// ```
  ///
  /// It replaces an earlier registration of the type. Running calls continue with the earlier
  /// repositories, and writes stay in order across both registrations. Observers, caches and lists
  /// change to the new one. What was declared before is kept, unless you pass a closure.
  ///
  /// - Parameters:
  ///   - model: The model type.
  ///   - remote: The repository of the server.
  ///   - local: The repository on this device.
  ///   - strategy: Which repository Evocation asks first, and when it writes results to the second
  ///     one.
  ///   - declare: Declares what else the model type needs, before it is registered; by default what was
  ///     declared before.
  /// - Returns: The proxy of the model type.
  /// - Throws: The errors of ``Proxy/validate()``, and of the closure. An earlier registration then stays
  ///   as it is.
  @discardableResult
  public func register<Model: Sendable>(
    _ model: Model.Type, remote: some Repository<Model>, local: some Repository<Model>,
    strategy: Strategy, _ declare: ((Proxy<Model>) throws -> Void)? = nil
  ) throws -> Proxy<Model> {
    try register(remote, local, strategy: strategy, declare)
  }

  /// Registers a model type with a remote repository alone.
  ///
  /// - Throws: The errors of ``Proxy/validate()``, for example if the strategy needs a local
  ///   repository.
  @discardableResult
  public func register<Model: Sendable>(
    _ model: Model.Type, remote: some Repository<Model>, strategy: Strategy = .remoteOnly,
    _ declare: ((Proxy<Model>) throws -> Void)? = nil
  ) throws -> Proxy<Model> {
    try register(remote, nil, strategy: strategy, declare)
  }

  /// Registers a model type with a local repository alone.
  ///
  /// - Throws: The errors of ``Proxy/validate()``, for example if the strategy needs a remote
  ///   repository.
  @discardableResult
  public func register<Model: Sendable>(
    _ model: Model.Type, local: some Repository<Model>, strategy: Strategy = .localOnly,
    _ declare: ((Proxy<Model>) throws -> Void)? = nil
  ) throws -> Proxy<Model> {
    try register(nil, local, strategy: strategy, declare)
  }

  private func register<Model: Sendable>(
    _ remote: (any Repository<Model>)?, _ local: (any Repository<Model>)?, strategy: Strategy,
    _ declare: ((Proxy<Model>) throws -> Void)?
  ) throws -> Proxy<Model> {
    let (parts, date) = (registry.parts(of: Model.self), environment.date())
    let binding = local.map { LocalBinding($0, after: parts.former?.binding, at: date) }
    let wiring = Wiring(
      remote: remote, local: local, strategy: strategy, binding: binding ?? LocalBinding(nil))
    try wiring.check("\(Model.self)")
    let proxy = Proxy(
      parts, environment, wiring: wiring, keeping: declare == nil ? .all : .nothing)
    if let declare {
      try declare(proxy)
      try proxy.validate()
    }
    if let local { try environment.signOutRecovery.add(local) }
    registry.install(proxy, at: date)
    proxy.announceRegistration()
    return proxy
  }
}
