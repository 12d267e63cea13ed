internal import Evocation
internal import Synchronization

/// Numbers the commits of a database, so that a reader can report which state it sees.
///
/// The writer commits and advances the number in one step. A reader that needs the number of its
/// snapshot begins it while no commit is running. A snapshot with number 5 therefore contains
/// commit 5 and everything before it, and nothing of commit 6. Reads without a number take no lock.
///
/// A commit of another process gets its number when it is noticed: a snapshot may see it earlier,
/// but never later.
final class CommitClock: Sendable {
  private let number = Atomic<UInt64>(0)
  private let foreignCount = Atomic<UInt64>(0)

  /// Held for the duration of a commit; with `synchronous = FULL` this includes the disk.
  private let committing = Lock(())

  /// The number of the last commit; zero before the first.
  var current: UInt64 { number.load(ordering: .acquiring) }

  /// How many commits this database has made itself.
  var ownCount: UInt64 { current &- foreignCount.load(ordering: .relaxed) }

  /// Numbers a commit that was noticed after it was made.
  @discardableResult
  func advance() -> UInt64 {
    foreignCount.wrappingAdd(1, ordering: .relaxed)
    return number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  /// Runs `body`, which commits, and returns the number of its commit.
  ///
  /// A failed commit has no number.
  func committing(_ body: () throws -> Void) throws -> UInt64 {
    try committing.withLock { _ in
      try body()
      return number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }
  }

  /// Runs `body` while no commit is running, with the number of the last one.
  func betweenCommits<Value>(_ body: (UInt64) throws -> Value) throws -> Value {
    try committing.withLock { _ in try body(current) }
  }
}
