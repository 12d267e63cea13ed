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

  /// Ends it; false where it was not on.
  func end() -> Bool {
    state.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Remembers by whose word it begins and ends; nil for the app's alone.
  func follow(_ activity: (any AppActivity)?) {
    followed.withLock { $0 = activity }
  }

  /// Whether it is on, and over by the word of what it follows, which the database has not heard yet.
  var isOver: Bool {
    guard isOn else { return false }
    return followed.withLock { $0 }?.isActive == true
  }
}
