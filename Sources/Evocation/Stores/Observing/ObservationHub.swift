import Dispatch

/// An event for an observer.
enum ObservationEvent<Model: Sendable>: Sendable {
  /// The repository changed in a way that concerns the observer.
  case change(RepositoryChange<Model>)
  /// The observer has received every change up to this version that concerns it.
  case barrier(UInt64)
  /// Another repository is registered, or none: the observation ends here.
  case replaced
}

/// Passes the changes of one repository to the observers that they concern.
///
/// A write only enqueues its change. The hub finds the observers on its own queue, so that a write
/// costs the same whatever their number.
package final class ObservationHub<Model: Sendable>: Sendable {
  typealias Change = RepositoryChange<Model>
  typealias Events = Broadcast<ObservationEvent<Model>>.Buffer

  private struct State {
    var index = ObserverIndex()
    var observers: [ObserverIndex.Number: Events] = [:]
    var lastNumber: ObserverIndex.Number = 0
    var lastVersion: UInt64 = 0
    /// The criteria that an observer alone knows, and no cache.
    var criteria: [ObserverIndex.Number: Criteria] = [:]
    var source: Evocation.Observation?
    /// Follows the service's changes for the observers.
    var live: Evocation.Observation?
    /// Ends when the repository reports its changes; nil if no observer has to wait for that.
    var beginning: Broadcast<Void>?
  }

  let repository: any ObservableRepository<Model>
  let access: ModelAccess<Model>
  private let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  private let follow: @Sendable (ObservationHub) -> Evocation.Observation?
  /// Follows ids that the server replaces; nil for a repository where none are replaced.
  let ids: FollowedIDs?
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "Evocation.ObservationHub")

  package init(
    _ repository: any ObservableRepository<Model>, _ access: ModelAccess<Model>,
    onTrace: (@Sendable (Evocation.Trace) -> Void)?, ids: FollowedIDs? = nil,
    follow: @escaping @Sendable (ObservationHub) -> Evocation.Observation? = { _ in nil }
  ) {
    self.repository = repository
    self.access = access
    self.onTrace = onTrace
    self.ids = ids
    self.follow = follow
  }

  /// The criteria of observers that belong to no cache, each once.
  package var observedCriteria: Set<Criteria> { state.withLock { Set($0.criteria.values) } }

  /// The registration of an observer, which ends when it is released.
  final class Subscription: Sendable {
    private let hub: ObservationHub
    private let number: ObserverIndex.Number
    private let events: Events

    fileprivate init(_ hub: ObservationHub, _ number: ObserverIndex.Number, events: Events) {
      self.hub = hub
      self.number = number
      self.events = events
    }

    deinit { hub.unsubscribe(number) }

    /// Passes the changes that concern other criteria from now on.
    func follow(_ criteria: Criteria) {
      hub.state.withLock { state in
        state.index.remove(number)
        state.index.insert(number, criteria)
      }
    }

    /// Sends a version to the observer, after every change that was enqueued before.
    func barrier(_ version: UInt64) {
      hub.queue.async { [events] in events.put(.barrier(version)) }
    }
  }

  /// Passes changes that concern the criteria to a buffer, while the subscription exists.
  ///
  /// The criteria must be resolved. `known` has them as the observer gave them, if it does not
  /// belong to a cache.
  func subscribe(
    _ criteria: Criteria, _ events: Events, for known: Criteria? = nil
  ) -> Subscription {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.observers[state.lastNumber] = events
      state.criteria[state.lastNumber] = known
      state.index.insert(state.lastNumber, criteria)
      return state.lastNumber
    }
    listen()
    return Subscription(self, number, events: events)
  }

  /// Ends all observations, because another repository is registered, or none.
  package func endReplaced() {
    for events in state.withLock({ Array($0.observers.values) }) { events.put(.replaced) }
  }

  /// Waits until the repository reports its changes, if an observer has just begun to listen.
  ///
  /// A read before that may miss a commit that no observer is notified of.
  func begun() async {
    while !Task.isCancelled, let beginning = state.withLock({ $0.beginning }) {
      _ = await beginning.events(keeping: 1).next()
    }
  }

  /// Begins to listen, unless the hub listens already or another task is beginning to.
  private func listen() {
    let beginning = state.withLock { state -> Broadcast<Void>? in
      guard state.source == nil, state.beginning == nil else { return nil }
      let beginning = Broadcast<Void>()
      state.beginning = beginning
      return beginning
    }
    guard let beginning else { return }
    let source = repository.observeChanges { [weak self] change in
      guard let self else { return }
      self.queue.async { self.publish(change) }
    }
    let live = follow(self)
    state.withLock { ($0.source, $0.live, $0.beginning) = (source, live, nil) }
    beginning.finish()
  }

  private func unsubscribe(_ number: ObserverIndex.Number) {
    state.change { state in
      let events = state.observers.removeValue(forKey: number)
      state.index.remove(number)
      state.criteria[number] = nil
      guard state.observers.isEmpty else { return (events, [Evocation.Observation]()) }
      defer { (state.source, state.live) = (nil, nil) }
      state.lastVersion = 0
      return (events, [state.source, state.live].compactMap(\.self))
    } afterwards: { _, ended in
      for observation in ended { observation.cancel() }
    }
  }

  /// How many observers ask again in the time that matching takes, at most.
  private static var few: Int { 8 }

  private func publish(_ change: Change) {
    let change = inOrder(change)
    // A few observers ask again in less time than it takes to match each model of a large change.
    let isLarge = !change.isBrief
    let brief = isLarge ? .unknown(version: change.version) : change
    let areFew = state.withLock { $0.index.count <= Self.few }
    let concerned = concerned(by: isLarge && areFew ? brief : change)
    let all = state.withLock { state in concerned.compactMap { state.observers[$0] } }
    for events in all { events.put(.change(brief)) }
  }

  /// Returns the change, or an unknown change if its version is not greater than the last one.
  private func inOrder(_ change: Change) -> Change {
    guard let version = change.version else { return change }
    let last = state.withLock { state in
      defer { state.lastVersion = version }
      return state.lastVersion
    }
    guard version <= last else { return change }
    let step = Evocation.Trace.Step(
      repository: .local, role: .target,
      outcome: .failed(
        "it told a change of version \(version) after one of version \(last), so its observers ask again; "
          + "increase it with each commit"))
    onTrace?(Evocation.Trace(model: access.schema.model, call: "observe", steps: [step]))
    return .unknown
  }

  private func concerned(by change: Change) -> Set<ObserverIndex.Number> {
    guard case .models(let stored, let updated, let removed) = change.extent else {
      return state.withLock { $0.index.all }
    }
    // Closures, because a key path into a generic type is created again at each use.
    let models = [stored, removed, updated.map { $0.before }, updated.map { $0.after }].joined()
    var found = state.withLock { $0.index.unconditional }
    do {
      for model in models {
        if state.withLock({ found.count >= $0.index.count }) { break }
        let fields = try access.fields(model)
        state.withLock { $0.index.collect(fields, into: &found) }
      }
      return found
    } catch {
      // A model that cannot be encoded may concern any observer.
      return state.withLock { $0.index.all }
    }
  }
}

/// How the ids in criteria are followed when the server gives a model another one.
package struct FollowedIDs: Sendable {
  /// Whether the criteria name instances by their ids.
  let areIn: @Sendable (Criteria) -> Bool
  /// Returns the criteria with the present ids; nil if they are the same.
  let followed: @Sendable (Criteria) async -> Criteria?

  package init(
    areIn: @escaping @Sendable (Criteria) -> Bool,
    followed: @escaping @Sendable (Criteria) async -> Criteria?
  ) {
    self.areIn = areIn
    self.followed = followed
  }
}

extension RepositoryChange {
  /// Whether applying the change is faster than asking the repository again.
  fileprivate var isBrief: Bool {
    guard case .models(let stored, let updated, let removed) = extent else { return true }
    return stored.count + updated.count + removed.count <= 256
  }
}
