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

/// Whether the changes of a service arrive in a local store automatically.
package final class LiveStatus: Sendable {
  /// The beginning of the name under which a ledger records the mark of a service, which is no fetch.
  package static let source = "Evocation.live"

  private struct State {
    var since: Date?
    var mark: (text: String, registration: Registration)?
  }

  private let state = Lock(State())

  /// Since when they arrive; nil if they do not.
  package var since: Date? { state.withLock { $0.since } }

  /// The last mark, for a store whose ledger cannot keep it, and the registration of its service.
  package var mark: (text: String, registration: Registration)? { state.withLock { $0.mark } }

  /// Sets the date, and returns whether it has changed.
  package func set(_ date: Date?) -> Bool {
    state.withLock { state in
      defer { state.since = date }
      return state.since != date
    }
  }

  package func record(mark: String, of registration: Registration) {
    state.withLock { $0.mark = (mark, registration) }
  }

  /// Forgets the mark, because the store has nothing of the service any more.
  package func forgetMark() {
    state.withLock { $0.mark = nil }
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
