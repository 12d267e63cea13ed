public import Synchronization

/// What belongs to one user: it begins when an `Evocation` is created or after a sign-out, and ends with
/// the next sign-out.
///
/// A call, a fetch or a send holds the session in which it was asked for. Once that is over, it saves,
/// shows and records nothing any more.
@usableFromInline package final class Session: Sendable {
  /// The session in which the outbox took the entry that this task sends.
  @TaskLocal package static var atSending: Session?

  @usableFromInline let hasEnded = Atomic(false)

  package init() {}

  /// Whether the user has signed out.
  @inlinable package var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  fileprivate func end() { hasEnded.store(true, ordering: .releasing) }
}

/// The sessions of an `Evocation`, one after another.
///
/// It keeps all of them, a small object for each sign-out, so that each call can retain the present one
/// without a lock (`find, async`).
@usableFromInline package final class Sessions: Sendable {
  private let all: Lock<[Session]>
  @usableFromInline let present: Atomic<Unmanaged<Session>>

  package init() {
    let first = Session()
    all = Lock([first])
    present = Atomic(.passUnretained(first))
  }

  /// The present session.
  @inlinable package var current: Session {
    present.load(ordering: .acquiring).takeUnretainedValue()  // `all` keeps it
  }

  /// Ends the present session, and begins the next one.
  package func end() {
    let next = Session()
    all.withLock { sessions in
      sessions.append(next)
      present.exchange(.passUnretained(next), ordering: .acquiringAndReleasing)
        .takeUnretainedValue().end()  // `sessions` keeps it
    }
  }
}
