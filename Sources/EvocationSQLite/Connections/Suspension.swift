internal import Evocation
internal import Synchronization

/// Whether a database is suspended, as all of its connections see it.
final class Suspension: Sendable {
  private let state = Atomic<Bool>(false)
  private let followed = Lock<(any AppActivity)?>(nil)

  var isOn: Bool { state.load(ordering: .acquiring) }

  func begin() {
    state.store(true, ordering: .releasing)
  }

  /// Ends the suspension; false if there was none.
  func end() -> Bool {
    state.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Records the activity that begins and ends it; nil if only the app does.
  func follow(_ activity: (any AppActivity)?) {
    followed.withLock { $0 = activity }
  }

  /// Whether it is on although the activity is active again, which the database has not noticed
  /// yet.
  var isOver: Bool {
    guard isOn else { return false }
    return followed.withLock { $0 }?.isActive == true
  }
}
