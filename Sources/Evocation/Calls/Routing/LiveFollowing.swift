package import Foundation

/// Follows the changes that services send, for the model types that are observed.
package protocol LiveFollowing: AnyObject, Sendable {
  /// Saves the changes of a model type to its local repository until the observation ends.
  ///
  /// The closure returns what is observed apart from caches.
  func follow<Model: Sendable>(
    _ model: Model.Type, for criteria: @escaping @Sendable () -> Set<Criteria>
  ) -> Evocation.Observation
  /// Follows a model type as it is registered now, if it is observed.
  func noteWiring(of model: Any.Type)
  /// Does the same where the registration or the remote repository is another one than before.
  func noteMoved(_ model: Any.Type)
  /// Ends everything that is followed, and waits for that; nothing begins until ``resume()``.
  func suspend() async
  /// Follows again, after a sign-out, from the marks that the stores have now.
  func resume()
}

struct WeakFollower {
  weak var follower: (any LiveFollowing)?
}

/// Whether the changes of a service arrive in a local store automatically.
package final class LiveStatus: Sendable {
  /// The beginning of the name under which a ledger records the mark of a service, which is no fetch.
  package static let source = "Evocation.live"

  private struct State {
    var since: Date?
    var mark: String?
  }

  private let state = Lock(State())

  /// Since when they arrive; nil if they do not.
  package var since: Date? { state.withLock { $0.since } }

  /// The last mark, for a store whose ledger cannot keep it.
  package var mark: String? { state.withLock { $0.mark } }

  /// Sets the date, and returns whether it has changed.
  package func set(_ date: Date?) -> Bool {
    state.withLock { state in
      defer { state.since = date }
      return state.since != date
    }
  }

  package func note(mark: String?) {
    state.withLock { $0.mark = mark }
  }
}

extension Proxy {
  /// Follows the changes of the service while something observes a local repository.
  ///
  /// The closure returns what is observed apart from caches.
  package func followLive(
    for criteria: @escaping @Sendable () -> Set<Criteria> = { [] }
  ) -> Evocation.Observation? {
    environment.live?.follow(Model.self, for: criteria)
  }
}

extension Wiring {
  /// The remote repository, if it sends changes; nil if it does not.
  package var live: (any LiveRepository<Model>)? {
    let live = remote as? any LiveRepository<Model>
    return live?.sendsLiveChanges == true ? live : nil
  }
}
