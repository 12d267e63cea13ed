extension Evocation {
  /// The instance that the static methods use.
  ///
  /// Evocation creates it when your app first uses it, with the configuration of ``bootstrap(_:)``.
  public static let shared = Evocation(configuration: Startup.ofShared.begin())

  /// Creates an instance that shares no proxies with others.
  public convenience init(configuration: Configuration = .init()) {
    let environment = Environment(configuration)
    let registry = Registry(environment.sessions)
    let outbox = Outbox(environment, registry, configuration: configuration.outbox)
    environment.setOutbox(outbox)
    let presence = AppPresence(configuration.activity, environment, sender: outbox)
    self.init(
      contents: EvocationParts(environment, registry, outbox: outbox, presence: presence))
  }

  /// Fetches the observed caches that are missing, stale, or whose last fetch failed.
  ///
  /// Evocation does the same when the app becomes active. It returns when the fetches have ended.
  public func validate() async { await registry.validate() }

  /// The writes that the remotes do not have yet, which your app can inspect and control.
  public var outbox: Outbox { parts.outbox }
}
