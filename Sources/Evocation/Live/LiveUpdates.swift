/// Follows what services send automatically, for each model type that is observed.
///
/// A model type is followed while the app observes it, is not known to be inactive or offline, and
/// the remote repository of its present registration sends changes. During a sign-out nothing is.
package final class LiveUpdates: LiveFollowing {
  private struct State {
    /// The links, by their model types; a link stays, because a type may be observed again.
    var links: [ObjectIdentifier: any LiveLinking] = [:]
    /// The paces of services, and of those repositories that name none.
    var paces: [ByteText: LivePace] = [:]
    var presence: Evocation.Observation?
    var wasAway = false
    /// Whether a sign-out empties the stores.
    var isSuspended = false
  }

  private let environment: Environment
  private let presence: AppPresence
  private let registry: Registry
  private let state = Lock(State())

  package init(_ environment: Environment, _ presence: AppPresence, registry: Registry) {
    self.environment = environment
    self.presence = presence
    self.registry = registry
  }

  deinit {
    for link in state.withLock({ $0.links.values.map(\.self) }) { link.end() }
  }

  package func follow<Model: Sendable>(
    _ model: Model.Type, for criteria: @escaping @Sendable () -> Set<Criteria>
  ) -> Evocation.Observation {
    followPresence()
    let link = link(of: model)
    let number = link.enter(criteria)
    link.update()
    return Evocation.Observation {
      guard let stay = link.leave(number) else { return }
      WriteScope.apart {
        _ = Task.detached {
          try? await Task.sleep(for: LiveStay.length)
          link.end(stay)
        }
      }
    }
  }

  package func noteWiring(of model: Any.Type) {
    known(model)?.update()
  }

  package func noteMoved(_ model: Any.Type) {
    known(model)?.move()
  }

  package func suspend() async {
    let links = state.withLock { state in
      state.isSuspended = true
      return Array(state.links.values)
    }
    await LiveStay.end(of: links.compactMap { $0.stop() })
  }

  package func resume() {
    state.withLock { $0.isSuspended = false }
    for link in links { link.update() }
  }

  /// Returns what to follow now: the present registration, if its service sends changes.
  func target<Model: Sendable>(of model: Model.Type) -> LiveTarget<Model>? {
    guard !state.withLock({ $0.isSuspended }), !presence.isAway,
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

  private func known(_ model: Any.Type) -> (any LiveLinking)? {
    state.withLock { $0.links[ObjectIdentifier(model)] }
  }

  private func link<Model: Sendable>(of model: Model.Type) -> LiveLink<Model> {
    state.withLock { state in
      let key = ObjectIdentifier(model)
      if let link = state.links[key] as? LiveLink<Model> { return link }
      let link = LiveLink<Model>(in: self)
      state.links[key] = link
      return link
    }
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

/// How long a subscription stays without observers: often the next screen observes the same models.
///
/// It is real time, because it spares connections, and decides nothing.
enum LiveStay {
  static let length = Duration.milliseconds(500)
  /// How long a sign-out waits for subscriptions that it has canceled.
  static let longestEnd = Duration.seconds(2)

  /// Waits for the end of canceled tasks, and not forever: a repository may ignore the cancellation.
  static func end(of tasks: [Task<Void, Never>]) async {
    guard !tasks.isEmpty else { return }
    let ended = Promise<Void>()
    let wait = Task.detached {
      for task in tasks { await task.value }
      ended.fulfil()
    }
    await ended.value(
      within: longestEnd, by: TimeSource(ContinuousClock()), else: (), ifCancelled: ())
    wait.cancel()
  }
}

/// A link of any model type.
protocol LiveLinking: AnyObject, Sendable {
  /// Begins or ends a subscription, as what is known now asks for.
  func update()
  /// Follows another service, from no mark of the one before.
  func move()
  /// Ends the subscription until the next update, and returns its task, which is canceled.
  func stop() -> Task<Void, Never>?
  /// Ends the subscription for good.
  func end()
}
