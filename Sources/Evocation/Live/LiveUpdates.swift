/// Follows what services send automatically, for each model type that is observed.
///
/// A model type is followed while the app observes its local repository, is not known to be inactive
/// or offline, and its remote repository sends changes.
final class LiveUpdates: LiveFollowing {
  private struct State {
    /// The links, by the places that they save to.
    var links: [ObjectIdentifier: any LiveLinking] = [:]
    /// The paces of services, and of those repositories that name none.
    var paces: [ByteText: LivePace] = [:]
    var presence: Evocation.Observation?
    var wasAway = false
  }

  private let environment: Environment
  private let presence: AppPresence
  private let state = Lock(State())

  init(_ environment: Environment, _ presence: AppPresence) {
    self.environment = environment
    self.presence = presence
  }

  deinit {
    for link in state.withLock({ $0.links.values.map(\.self) }) { link.end() }
  }

  func follow<Model: Sendable>(
    _ proxy: Proxy<Model>, into wiring: Wiring<Model>,
    for criteria: @escaping @Sendable () -> Set<Criteria>
  ) -> Evocation.Observation {
    guard let local = wiring.local else { return Evocation.Observation {} }
    followPresence()
    let key = ObjectIdentifier(wiring.place)
    let link = state.withLock { state -> LiveLink<Model>? in
      let known = state.links[key]
      let link = known as? LiveLink<Model> ?? LiveLink(proxy, wiring.place, local: local, in: self)
      if known == nil { state.links[key] = link }
      return link
    }
    guard let link else { return Evocation.Observation {} }
    let number = link.enter(criteria)
    link.update()
    return Evocation.Observation { [weak self] in
      guard let stay = link.leave(number) else { return }
      WriteScope.apart {
        _ = Task.detached {
          try? await Task.sleep(for: LiveStay.length)
          link.end(stay)
          self?.forgetUnused(key)
        }
      }
    }
  }

  func noteRemote(of proxy: AnyObject) {
    for link in links where link.follows(proxy) { link.restart() }
  }

  func noteSignedOut() {
    for link in links {
      link.forgetMark()
      link.restart()
    }
  }

  /// Whether the app is known to be inactive or offline.
  var isAway: Bool { presence.isAway }

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

  private func forgetUnused(_ key: ObjectIdentifier) {
    state.change { state -> (any LiveLinking)? in
      state.links[key]?.isUsed == false ? state.links.removeValue(forKey: key) : nil
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
    let isAway = isAway
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
}

/// A link of any model type.
protocol LiveLinking: AnyObject, Sendable {
  /// Whether anything observes the place of the link.
  var isUsed: Bool { get }
  /// Whether the link belongs to a proxy.
  func follows(_ proxy: AnyObject) -> Bool
  /// Forgets the mark of a store whose ledger cannot keep it.
  func forgetMark()
  /// Begins or ends a subscription, as what is known now asks for.
  func update()
  /// Ends the subscription, and begins another one if it is still wanted.
  func restart()
  /// Ends the subscription for good.
  func end()
}
