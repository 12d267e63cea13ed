/// One API for create, read, update and remove over a remote service and a local store.
///
/// Register a proxy for each model type when your app starts. Then call the same methods
/// everywhere, on ``shared`` through the static forms or on an instance of your own:
///
/// ```swift
/// let result = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
/// print(result.data?.count ?? 0, "cars from", result.origin?.rawValue ?? "nowhere")
/// ```
///
/// You can use all of it from any thread. The async form of a call runs where its caller runs. On
/// the main actor, a read or a write that needs no other thread therefore has no thread hop.
///
/// - Callback calls that you make one after another enter their repositories in that order.
///   Evocation promises nothing else about their order. A repository that blocks its thread delays
///   the starts behind it for a twentieth of a second. After that it delays only the writes that
///   must follow it, as a callback that blocks does.
/// - Each callback call calls its callback exactly once, after the call has returned: on the
///   configuration's queue if it has one, and otherwise on any thread. There a callback may work
///   for a long time, and may wait for another call, even for one that it makes. The calls of one
///   model type may block 64 threads in this way. Further calls go on when one of these threads is
///   free.
/// - By default, Evocation applies the writes on one model type one at a time, in the order of the
///   calls, in the target and in the second repository. A write that has to wait has started when
///   it has its position in that order. Reads run side by side.
/// - Canceling ends a call with `CancellationError` and cancels the repository's work. A canceled
///   call never asks the fallback.
public final class Evocation: Sendable {
  /// The instance that the static methods use.
  ///
  /// Evocation creates it when your app first uses it, with the configuration of ``bootstrap(_:)``.
  public static let shared = Evocation(configuration: Startup.ofShared.begin())

  /// The writes that the remotes do not have yet, which your app can inspect and control.
  public let outbox: Outbox

  /// Whether the app is active and online, so that observed caches should be kept up to date.
  let presence: AppPresence
  /// Follows what services send automatically.
  let live: LiveUpdates
  let prefetches = KnownPrefetches()
  let environment: Environment
  let registry: Registry

  /// Creates an instance that shares no proxies with others.
  public init(configuration: Configuration = .init()) {
    environment = Environment(configuration)
    registry = Registry(environment.signOuts)
    outbox = Outbox(environment, registry, configuration: configuration.outbox)
    environment.setOutbox(outbox)
    presence = AppPresence(configuration.activity, outbox)
    live = LiveUpdates(environment, presence, registry: registry)
    environment.setLive(live)
  }

  /// The outbox of ``shared``.
  public static var outbox: Outbox { shared.outbox }

  /// Creates a proxy for a model type, which replaces an earlier one.
  ///
  /// Running calls continue with the earlier proxy, and writes stay in order across both.
  @discardableResult
  public func register<Model: Sendable>(for type: Model.Type) -> Proxy<Model> {
    let proxy = registry.register(type) {
      Proxy(line: $0, log: $1, environment: environment, after: $2?.place)
    }
    live.noteMoved(type)
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
  public func unregister<Model: Sendable>(_ type: Model.Type) {
    registry.unregister(ObjectIdentifier(type))
    live.noteMoved(type)
    outbox.forget(ObjectIdentifier(type))
  }
}
