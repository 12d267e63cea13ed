internal import Evocation
internal import Synchronization

/// Whether a database is suspended, as all of its connections see it.
final class Suspension: Sendable {
  /// Asks the system for time, which calls the closure when the time is over; returns what ends it
  /// before.
  typealias AskForTime =
    @Sendable (_ isOver: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  private struct Following {
    var activity: (any AppActivity)?
    var ask: AskForTime?
    /// Ends the time that the system gives; nil if it was not asked, or the time is over.
    var end: (@Sendable () -> Void)?
  }

  private let state = Atomic<Bool>(false)
  private let following = Lock(Following())

  var isOn: Bool { state.load(ordering: .acquiring) }

  func begin() {
    state.store(true, ordering: .releasing)
  }

  /// Ends the suspension; false if there was none.
  func end() -> Bool {
    state.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Records the activity that begins and ends it; nil if only the app does.
  func follow(_ activity: (any AppActivity)?, asking ask: AskForTime? = nil) {
    following.withLock { ($0.activity, $0.ask) = (activity, ask) }
    if activity == nil { endTime() }
  }

  /// Whether it is on although the activity is active again, which the database has not noticed
  /// yet.
  var isOver: Bool {
    guard isOn else { return false }
    return following.withLock(\.activity)?.isActive == true
  }

  /// Asks the system for time while the activity is unknown, and runs `body` when the time is over.
  ///
  /// An app that was launched in the background may never become active. Then nothing says that it
  /// ceases to be: the system tells only those who asked it for time that it suspends the process.
  func askForTime(_ body: @escaping @Sendable () async -> Void) {
    let (activity, ask) = following.withLock { ($0.activity, $0.ask) }
    guard let activity, let ask, activity.isActive == nil else { return }
    let isFirst = following.withLock { following in
      guard following.end == nil else { return false }
      following.end = {}
      return true
    }
    guard isFirst else { return }
    let end = ask {
      Task.detached { [self] in
        await body()
        endTime()
      }
    }
    let isOver = following.withLock { following in
      guard following.end != nil else { return true }
      following.end = end
      return false
    }
    if isOver { end() }
  }

  /// Ends the time that the system gives, so that it need not wait.
  func endTime() {
    let end = following.withLock { following in
      defer { following.end = nil }
      return following.end
    }
    end?()
  }
}
