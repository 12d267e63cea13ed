/// One API for create, read, update and remove over a remote service and a local store.
///
/// Register a proxy for each model type at the app's start, then call the same methods
/// everywhere, on ``shared`` by the static forms or on an instance of your own:
///
/// ```swift
/// let result = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
/// print(result.data?.count ?? 0, "cars from", result.origin?.rawValue ?? "nowhere")
/// ```
///
/// All of it is safe to use from any thread. A call's async form runs where its caller runs, so a
/// caller on the main actor pays no thread hop for a call that needs none, be it a read or a write.
///
/// - Callback calls made one after another start in that order: they enter their repositories one
///   after another. Nothing else is promised about their order, and nobody waits for more. A
///   repository that keeps its thread holds up the starts behind it for a twentieth of a second, and
///   after that, as a callback that does, only the writes that must come after.
/// - Each callback call calls its callback exactly once, after the call returned, on the
///   configuration's queue if it has one, else on any thread. There a callback may work for long,
///   and may wait for another call, even for one that it makes. The calls of one model type may
///   keep 64 threads in this way before they have waited for anything, and 64 for each processor
///   after that; what more of them there is goes on when one of these threads is free.
/// - Writes on one model type are applied one at a time in the order of the calls, on target and
///   counterpart alike; a write that must wait has started when it has its place in that line.
///   Reads run side by side.
/// - Cancelling ends a call with `CancellationError`, reaches the repository, and never falls back.
public final class Evocation: Sendable {
  /// The instance that the static methods use.
  ///
  /// It is made when it is first used, with what ``bootstrap(_:)`` was given before.
  public static let shared = Evocation(configuration: Startup.ofShared.begin())

  /// The writes that the remotes do not have yet, to be seen and steered.
  public let outbox: Outbox

  /// Whether somebody is there for whom caches are kept up to date.
  let presence: AppPresence
  let environment: Environment
  let registry: Registry

  /// Makes an instance that shares no proxies with others.
  public init(configuration: Configuration = .init()) {
    environment = Environment(configuration)
    registry = Registry(environment.signOuts)
    outbox = Outbox(environment, registry, configuration.outbox)
    environment.setOutbox(outbox)
    presence = AppPresence(configuration.activity, outbox)
  }

  /// The outbox of ``shared``.
  public static var outbox: Outbox { shared.outbox }

  /// Makes a proxy for a model type; it replaces an earlier one.
  ///
  /// Calls that run go on with the earlier proxy, and writes stay in order across the two.
  @discardableResult
  public func register<Model: Sendable>(for type: Model.Type) -> Proxy<Model> {
    registry.register(type) {
      Proxy(line: $0, log: $1, environment: environment, after: $2?.place)
    }
  }

  /// Gives the proxy of a model type.
  ///
  /// - Throws: ``EvocationError/proxyNotFound(model:)`` when none is registered.
  public func proxy<Model: Sendable>(
    for type: Model.Type
  ) throws(EvocationError) -> Proxy<Model> {
    guard let proxy = registry.proxy(for: type) else { throw .proxyNotFound(model: "\(type)") }
    return proxy
  }

  /// Forgets the proxy of a model type; calls that run go on.
  public func unregister<Model: Sendable>(_ type: Model.Type) {
    registry.unregister(ObjectIdentifier(type))
    outbox.forget(ObjectIdentifier(type))
  }
}
