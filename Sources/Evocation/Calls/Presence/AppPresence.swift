/// Whether the app is active and online, as far as each is known, so that caches are kept up to
/// date.
///
/// It follows both from the time when the first cache is observed, and ends with its `Evocation`.
package final class AppPresence: Sendable, Hashable {
  private struct State {
    var isActive: Bool?
    var following: Task<Void, Never>?
  }

  private let activity: (any AppActivity)?
  private let environment: Environment
  private let sender: any OutboxSender
  private let state = Lock(State())

  package init(
    _ activity: (any AppActivity)?, _ environment: Environment, sender: any OutboxSender
  ) {
    self.activity = activity
    self.environment = environment
    self.sender = sender
  }

  deinit { state.withLock { $0.following }?.cancel() }

  /// Whether the app is known to be inactive or offline.
  package var isAway: Bool { state.withLock { $0.isActive } == false || !sender.isOnline }

  /// Begins to follow the app's activity and connection; it does nothing if that has begun.
  package func follow() {
    sender.followConnectivity()
    guard let activity, state.withLock({ $0.following == nil }) else { return }
    // Called outside the lock, because it is the app's code.
    let isActive = activity.isActive
    state.withLock { state in
      guard state.following == nil else { return }
      state.isActive = isActive
      state.following = following(activity)
    }
  }

  private func following(_ activity: any AppActivity) -> Task<Void, Never> {
    WriteScope.apart {
      Task { [weak self] in
        let changes = activity.changes()
        // A stream does not report changes from before its first reader.
        if let isActive = activity.isActive { self?.take(isActive) }
        for await isActive in changes {
          guard let self else { return }
          self.take(isActive)
        }
      }
    }
  }

  private func take(_ isActive: Bool) {
    let isBack = state.withLock { state in
      defer { state.isActive = isActive }
      return isActive && state.isActive != isActive
    }
    environment.presenceChanges.tell()
    // Without a connection, the outbox validates the caches when the connection returns.
    if isBack, sender.isOnline { sender.validateObserved() }
  }
}

extension AppPresence {
  package static func == (left: AppPresence, right: AppPresence) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
