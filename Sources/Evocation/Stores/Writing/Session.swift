internal import Synchronization

/// What belongs to one user: it begins when an `Evocation` is created or after a sign-out, and ends with
/// the next sign-out.
///
/// A call, a fetch or a send holds the session in which it was asked for. Once that is over, it saves,
/// shows and records nothing any more.
@usableFromInline package final class Session: Sendable {
  /// The session in which the outbox took the entry that this task sends.
  @TaskLocal package static var atSending: Session?

  private let hasEnded = Atomic(false)

  package init() {}

  /// Whether the user has signed out.
  package var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  fileprivate func end() { hasEnded.store(true, ordering: .releasing) }
}

/// The sessions of an `Evocation`, one after another.
package final class Sessions: Sendable {
  private let present = Lock(Session())

  package init() {}

  /// The present session.
  package var current: Session { present.withLock { $0 } }

  /// Ends the present session, and begins the next one.
  package func end() {
    present.change { session in
      session.end()
      defer { session = Session() }
      return session
    }
  }
}
