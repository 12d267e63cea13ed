public import Evocation
public import Foundation

extension Evocation {
  /// Follows what services send automatically, for each model type that your app observes.
  ///
  /// ```swift
  /// evocation.live.start()
  /// ```
  ///
  /// See ``Live``.
  public var live: Live {
    parts.live { Live(environment, presence, registry: registry) }
  }

  /// The same for `Evocation.shared`.
  public static var live: Live { shared.live }

  /// Follows the changes that services send, and saves them to the local stores.
  ///
  /// Nothing is followed until ``start()``: a format or a repository says how its service sends, and
  /// opens no connection. From then on, Evocation follows a model type while your app observes
  /// it, is not known to be inactive or offline, and the remote repository of its present
  /// registration sends changes. During a sign-out it follows nothing.
  ///
  /// You can call its methods from any thread and at any time, also while models are observed. What it
  /// does for each model type, and why not, is in ``statuses``.
  public final class Live: LiveFollowing {
    private struct State {
      /// The links, by their model types; a link stays, because a type may be observed again.
      var links: [ObjectIdentifier: any LiveLinking] = [:]
      /// The paces of services, and of those repositories that name none.
      var paces: [ByteText: LivePace] = [:]
      var presence: Evocation.Observation?
      var wasAway = false
      /// Whether the app has switched it on.
      var isOn = false
      /// Whether a sign-out empties the stores.
      var isSuspended = false
    }

    let environment: Environment
    private let presence: AppPresence
    private let registry: Registry
    private let state = Lock(State())
    private let statusChanges = Broadcast<Void>()

    init(_ environment: Environment, _ presence: AppPresence, registry: Registry) {
      self.environment = environment
      self.presence = presence
      self.registry = registry
    }

    deinit {
      for link in links { link.end() }
    }

    /// Begins to follow what is observed, now and later.
    public func start() {
      state.withLock { $0.isOn = true }
      for proxy in registry.all { update(proxy.modelType) }
    }

    /// Opens all connections again, and those that wait or are refused immediately.
    ///
    /// What may have been missed is fetched.
    public func reconnect() {
      let paces = state.withLock { Array($0.paces.values) }
      for pace in paces { pace.reset() }
      for link in links {
        _ = link.stop()
        link.update()
      }
    }

    /// Ends all connections; what is observed stays as it is, until ``start()``.
    public func stop() {
      state.withLock { $0.isOn = false }
      for link in links { link.update() }
    }
  }
}

extension Evocation.Live {
  package func update(_ model: Any.Type) {
    guard state.withLock({ $0.isOn }) else { return }
    if environment.demand.isObserved(model) { followPresence() }
    link(of: model)?.update()
  }

  package func suspend() async {
    let links = state.withLock { state in
      state.isSuspended = true
      return Array(state.links.values)
    }
    await end(links.compactMap { $0.stop() })
  }

  package func resume() {
    state.withLock { $0.isSuspended = false }
    for link in links { link.update() }
  }

  /// How long a sign-out waits for subscriptions that it has canceled.
  private static var longestEnd: Duration { .seconds(2) }

  /// Waits for the end of canceled tasks, and not forever: a repository may ignore the cancellation.
  ///
  /// It is real time, because a sign-out goes on also under a clock that a test moves.
  private func end(_ tasks: [Task<Void, Never>]) async {
    guard !tasks.isEmpty else { return }
    let ended = Promise<Void>()
    let wait = Task.detached {
      for task in tasks { await task.value }
      ended.fulfil()
    }
    await ended.value(
      within: Self.longestEnd, by: TimeSource(ContinuousClock()), else: (), ifCancelled: ())
    wait.cancel()
  }

  /// Returns what to follow now: the present registration, if its service sends changes.
  func target<Model: Sendable>(of model: Model.Type) -> LiveTarget<Model>? {
    guard state.withLock({ $0.isOn && !$0.isSuspended }), !presence.isAway,
      let proxy = registry.proxy(for: model)
    else { return nil }
    return LiveTarget(proxy)
  }

  /// Returns the pace of a service, by its name, or of a model type whose repository has none.
  func pace(of service: String) -> LivePace {
    state.withLock { state in
      let name = ByteText(service)
      let pace = state.paces[name] ?? LivePace(environment.time, chance: environment.chance)
      state.paces[name] = pace
      return pace
    }
  }

  private var links: [any LiveLinking] { state.withLock { Array($0.links.values) } }

  /// Returns the link of a model type; nil if it has none and is not registered.
  private func link(of model: Any.Type) -> (any LiveLinking)? {
    let key = ObjectIdentifier(model)
    if let link = state.withLock({ $0.links[key] }) { return link }
    guard let made = registry.proxy(of: key).map({ link(to: $0) }) else { return nil }
    return state.withLock { state in
      let link = state.links[key] ?? made
      state.links[key] = link
      return link
    }
  }

  private func link<Model: Sendable>(to proxy: some AnyProxy<Model>) -> any LiveLinking {
    LiveLink<Model>(in: self)
  }

  /// Begins to follow the app's activity and connection.
  private func followPresence() {
    presence.follow()
    guard state.withLock({ $0.presence == nil }) else { return }
    let observation = environment.presenceChanges.observe { [weak self] _ in self?.updateAll() }
    state.change { state -> Evocation.Observation? in
      guard state.presence == nil else { return observation }
      state.presence = observation
      return nil
    }
  }

  private func updateAll() {
    let isAway = presence.isAway
    let paces = state.withLock { state in
      defer { state.wasAway = isAway }
      return state.wasAway && !isAway ? Array(state.paces.values) : []
    }
    for pace in paces { pace.reset() }
    for link in links { link.update() }
  }
}

extension Evocation.Live {
  /// How far Evocation is with following one model type.
  public struct Status: Sendable, PlainlyPrinted {
    /// What a subscription does now.
    public enum Phase: Sendable, Hashable {
      /// Nothing is followed: nothing is observed, the app is inactive or offline, or ``Live/stop()`` was
      /// called.
      case idle
      /// A connection begins.
      case connecting
      /// Changes arrive.
      case connected
      /// The connection has ended, and another one begins at this date.
      case waiting(until: Date)
      /// The service refuses to send this model type's changes.
      ///
      /// It is asked again when the app or the network comes back, after a sign-in and after
      /// ``Live/reconnect()``, and otherwise after an hour.
      case refused
    }

    /// The name of the model type with its module.
    public let model: String
    /// What its subscription does now.
    public let phase: Phase
    /// Whether changes may be missing that are not fetched yet.
    public let isBehind: Bool
    /// Why the last connection ended; nil from the next one on.
    public let error: (any Error)?
  }

  /// What Evocation does for each model type that was observed, by their names.
  public var statuses: [Status] { links.map(\.status).sorted { $0.model < $1.model } }

  /// Returns the ``statuses`` now, and each time that one of them has changed.
  ///
  /// A reader that is slow gets the last ones only. You can iterate the sequence several times.
  public func observeStatuses() -> some AsyncSequence<[Status], Never> & Sendable {
    StatusSequence(live: self, changes: statusChanges)
  }

  private struct StatusSequence: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
      let live: Evocation.Live
      let changes: Broadcast<Void>.Events
      var isFirst = true

      mutating func next(isolation actor: isolated (any Actor)?) async -> [Status]? {
        if !isFirst, await changes.next() == nil { return nil }
        isFirst = false
        return live.statuses
      }
    }

    let live: Evocation.Live
    let changes: Broadcast<Void>

    func makeAsyncIterator() -> Iterator {
      Iterator(live: live, changes: changes.events(keeping: 1))
    }
  }

  func tellStatus() { statusChanges.tell() }
}

/// A link of any model type.
protocol LiveLinking: AnyObject, Sendable {
  var status: Evocation.Live.Status { get }
  /// Begins or ends a subscription, as what is known now asks for.
  func update()
  /// Ends the subscription until the next update, and returns its task, which is canceled.
  func stop() -> Task<Void, Never>?
  /// Ends the subscription for good.
  func end()
}
