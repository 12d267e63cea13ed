package import Foundation

/// Follows the changes that services send, for the model types that are observed.
package protocol LiveFollowing: AnyObject, Sendable {
  /// Follows a model type as it is observed and registered now.
  func update(_ model: Any.Type)
  /// Ends everything that is followed, and waits for that; nothing begins until ``resume()``.
  func suspend() async
  /// Follows again, after a sign-out, from the marks that the stores have now.
  func resume()
}

/// The model types that are observed, and what follows their services, if the app has switched that
/// on.
package final class LiveDemand: Sendable {
  /// Returns what an observation observes apart from caches.
  package typealias Observed = @Sendable () -> Set<Criteria>

  private struct State {
    var observed: [ObjectIdentifier: [UInt64: Observed]] = [:]
    var lastNumber: UInt64 = 0
    /// Weak, because it retains the environment, which has this.
    weak var follower: (any LiveFollowing)?
  }

  private let state = Lock(State())

  /// What follows; nil until the app switches it on.
  package var follower: (any LiveFollowing)? { state.withLock { $0.follower } }

  func set(_ follower: any LiveFollowing) {
    state.withLock { $0.follower = follower }
  }

  /// Whether the app observes a model type.
  package func isObserved(_ model: Any.Type) -> Bool {
    state.withLock { $0.observed[ObjectIdentifier(model)] != nil }
  }

  /// Returns what is observed of a model type apart from caches.
  package func criteria(of model: Any.Type) -> Set<Criteria> {
    let observed = state.withLock { $0.observed[ObjectIdentifier(model)].map { Array($0.values) } }
    return (observed ?? []).reduce(into: []) { $0.formUnion($1()) }
  }

  /// Records that the app observes a model type, until the observation ends.
  func observe(_ model: Any.Type, _ observed: @escaping Observed) -> Evocation.Observation {
    let key = ObjectIdentifier(model)
    let number = state.withLock { state in
      state.lastNumber += 1
      state.observed[key, default: [:]][state.lastNumber] = observed
      return state.lastNumber
    }
    follower?.update(model)
    return Evocation.Observation { [weak self] in
      guard let self else { return }
      state.change { state -> Observed? in
        defer { if state.observed[key]?.isEmpty == true { state.observed[key] = nil } }
        return state.observed[key]?.removeValue(forKey: number)
      }
      follower?.update(model)
    }
  }
}

/// Whether the changes of a service arrive in a local store automatically, and what of them is missing.
package final class LiveStatus: Sendable {
  /// The beginning of the name under which a ledger records the mark of a service, which is no fetch.
  package static let source = "Evocation.live"

  private struct State: Equatable {
    var isConnected = false
    /// When changes were last missed, so that what was fetched earlier may lack some; nil if unknown.
    var gap: Date?
    /// Whether single models could not be read, and are fetched soon.
    var lacksModels = false
    /// Whether what is observed is about to be fetched.
    var isFilling = false
  }

  /// What an observer needs to know.
  package struct Since: Equatable, Sendable {
    /// When changes were last missed; what was fetched later lacks none.
    package let date: Date
    /// Whether what is observed is about to be fetched anyway.
    package let isFilling: Bool

    package init(date: Date, isFilling: Bool = false) {
      (self.date, self.isFilling) = (date, isFilling)
    }
  }

  private let state = Lock(State())
  private let last = Lock<(text: String, registration: Registration)?>(nil)

  /// Since when all changes arrive; nil while they do not.
  package var since: Since? {
    state.withLock { state in
      guard state.isConnected, !state.lacksModels, let gap = state.gap else { return nil }
      return Since(date: gap, isFilling: state.isFilling)
    }
  }

  /// When changes were last missed; nil if that is unknown.
  package var gap: Date? { state.withLock { $0.gap } }

  /// The last mark, for a store whose ledger cannot keep it, and the registration of its service.
  package var mark: (text: String, registration: Registration)? { last.withLock { $0 } }

  /// Records that changes arrive from now on, and that none are missing since a date.
  ///
  /// - Returns: Whether that changes ``since``.
  package func connect(gap: Date) -> Bool {
    change { ($0.isConnected, $0.gap) = (true, gap) }
  }

  /// Records that changes were missed at a date.
  ///
  /// - Returns: Whether that changes ``since``.
  package func miss(at date: Date) -> Bool {
    change { ($0.gap, $0.isFilling) = (max($0.gap ?? date, date), true) }
  }

  /// Records when changes were last missed in an earlier launch, unless that is known.
  ///
  /// - Returns: Whether that changes ``since``.
  package func recall(gap: Date) -> Bool { change { $0.gap = $0.gap ?? gap } }

  /// Records whether single models are missing.
  ///
  /// - Returns: Whether that changes ``since``.
  package func lackModels(_ isLacking: Bool) -> Bool { change { $0.lacksModels = isLacking } }

  /// Records that what is observed was asked for.
  ///
  /// - Returns: Whether that changes ``since``.
  package func fill() -> Bool { change { $0.isFilling = false } }

  /// Records that changes do not arrive any more.
  ///
  /// - Returns: Whether that changes ``since``.
  package func disconnect() -> Bool { change { $0.isConnected = false } }

  private func change(_ change: (inout State) -> Void) -> Bool {
    state.withLock { state in
      let old = state
      change(&state)
      return state != old
    }
  }

  package func record(mark: String, of registration: Registration) {
    last.withLock { $0 = (mark, registration) }
  }

  /// Forgets the mark, because the store has nothing of the service any more.
  package func forgetMark() {
    last.withLock { $0 = nil }
    state.withLock { $0.gap = nil }
  }
}

extension Proxy {
  /// Follows the changes of the service while something observes a local repository.
  ///
  /// The closure returns what is observed apart from caches.
  package func followLive(
    for observed: @escaping LiveDemand.Observed = { [] }
  ) -> Evocation.Observation {
    if environment.demand.follower == nil, wiring.live != nil { notifyUnfollowed() }
    return environment.demand.observe(Model.self, observed)
  }
}

extension Wiring {
  /// The remote repository, if it sends changes; nil if it does not.
  package var live: (any LiveRepository<Model>)? {
    let live = remote?.role((any LiveRepository<Model>).self)
    return live?.sendsLiveChanges == true ? live : nil
  }
}
