/// What an ``Evocation`` consists of.
package final class EvocationParts: Sendable {
  package let environment: Environment
  package let registry: Registry
  package let outbox: Outbox
  /// Whether the app is active and online, so that observed caches should be kept up to date.
  package let presence: AppPresence
  package let prefetches = KnownPrefetches()
  /// Follows what services send automatically, if the app has switched that on.
  private let live = Lock<(any LiveFollowing)?>(nil)

  package init(
    _ environment: Environment, _ registry: Registry, outbox: Outbox, presence: AppPresence
  ) {
    self.environment = environment
    self.registry = registry
    self.outbox = outbox
    self.presence = presence
  }

  /// Returns what follows the changes that services send, which is made when it is first asked for.
  package func live<Live: LiveFollowing>(_ make: () -> Live) -> Live {
    live.withLock { live in
      if let live = live as? Live { return live }
      let made = make()
      live = made
      environment.demand.set(made)
      return made
    }
  }
}

extension Evocation {
  // An instance is made of these parts alone, so the cast cannot fail. A checked cast would be a
  // part of the cost of each call.
  package var parts: EvocationParts { unsafeDowncast(contents, to: EvocationParts.self) }

  package var environment: Environment { parts.environment }
  package var registry: Registry { parts.registry }
  package var presence: AppPresence { parts.presence }
}

extension Evocation {
  /// Creates a proxy for a model type, which replaces an earlier one.
  ///
  /// Running calls continue with the earlier proxy, and writes stay in order across both.
  @discardableResult
  public func register<Model: Sendable>(for type: Model.Type) -> Proxy<Model> {
    let proxy = Proxy(registry.parts(of: type), environment, keeping: .noReferences)
    registry.install(proxy, at: environment.date())
    environment.demand.follower?.update(type)
    return proxy
  }

  /// Returns the proxy of a model type.
  ///
  /// - Throws: ``EvocationError/proxyNotFound(model:)`` if the type is not registered.
  public func proxy<Model: Sendable>(
    for type: Model.Type
  ) throws(EvocationError) -> Proxy<Model> {
    guard let proxy = registry.proxy(for: type) else { throw .proxyNotFound(model: "\(type)") }
    return proxy
  }

  /// Removes the proxy of a model type; running calls continue.
  ///
  /// Observers, caches and lists show that the type is not registered, and go on when it is registered
  /// again.
  public func unregister<Model: Sendable>(_ type: Model.Type) {
    guard let proxy = registry.unregister(type) else { return }
    environment.outbox?.forget(ObjectIdentifier(type))
    environment.announce(type, tagPrefix: proxy.tagPrefix)
  }
}
