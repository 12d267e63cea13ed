internal import Evocation
internal import Synchronization

/// Numbers the commits of a database, so that a reader can say which state it sees.
///
/// The writer commits and advances the number as one step, and a reader that wants to know the
/// number of its snapshot begins it while no commit is under way. So a snapshot of number 5 has
/// commit 5 and everything before it, and nothing of commit 6. Reads that do not ask for the number
/// take no lock.
///
/// A commit of another process has its number when it is noticed: a snapshot may see it earlier, and
/// never later.
final class CommitClock: Sendable {
  private let number = Atomic<UInt64>(0)

  /// Held for as long as a commit takes; with `synchronous = FULL` that includes the disk.
  private let committing = Lock(())

  /// The number of the last commit; zero before the first.
  var current: UInt64 { number.load(ordering: .acquiring) }

  /// Gives the number to a commit that was noticed after it was made.
  @discardableResult
  func advance() -> UInt64 {
    number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  /// Runs `body`, which commits, and gives the number of its commit.
  ///
  /// A commit that failed has no number.
  func committing(_ body: () throws -> Void) throws -> UInt64 {
    try committing.withLock { _ in
      try body()
      return advance()
    }
  }

  /// Runs `body` while no commit is under way, with the number of the last one.
  func betweenCommits<Value>(_ body: (UInt64) throws -> Value) throws -> Value {
    try committing.withLock { _ in try body(current) }
  }
}
