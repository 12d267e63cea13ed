internal import Dispatch
internal import Evocation
internal import Synchronization

/// The connection beside the readers and the writer: it moves a long log into the file, and keeps
/// short reads free of the system's locks.
///
/// *Moving* waits for the disk, and the writer may run on the main thread. So a connection does it
/// on a queue of its own.
///
/// *Keeping*: SQLite locks a state of a shared file when the first connection of a process begins to
/// read it, and unlocks it when the last one ends. While this connection reads the newest state, the
/// reads of other connections need no system call, which is more than half of their cost ("findOne,
/// Evocation"). No read depends on it. While a state is kept, no process can start the log over. It
/// is therefore let go before the log is moved, after ``longest``, when another process writes, and
/// before the database is suspended.
final class LogMover: Sendable {
  /// How long a state is kept, and for how long none is kept then.
  private static let (longest, gap) = (
    DispatchTimeInterval.milliseconds(50), DispatchTimeInterval.milliseconds(5)
  )
  /// For how long none is kept after another process has written, in nanoseconds.
  private static let foreignGap: UInt64 = 1_000_000_000

  let queue = DispatchQueue(label: "evocation.sqlite.mover")
  private let open: @Sendable () throws -> Connection
  private let commits: CommitClock
  private let isMoving = Atomic(false)
  /// Held while a connection moves the log, and while this one is opened, or begins or ends to keep
  /// a state.
  ///
  /// SQLite immediately refuses a second connection that moves the log.
  private let turn = Lock(Keeping())

  /// The number of the kept state plus one; zero if none is kept.
  private let kept = Atomic<UInt64>(0)
  /// The number of the state that the last read saw, plus one.
  private let lastRead = Atomic<UInt64>(0)
  private let mayKeep = Atomic(true)
  /// When a commit of another process was last noticed, in nanoseconds; zero if none was.
  private let foreignCommit = Atomic<UInt64>(0)

  private struct Keeping {
    /// The connection; nil before it is first needed.
    var connection: Connection?
    var isSuspended = false
    var isClosed = false
    /// The number of our commits and the `data_version` when this time of keeping began.
    var beginning: (commits: UInt64, version: SQLValue?)?
  }

  init(_ commits: CommitClock, open: @escaping @Sendable () throws -> Connection) {
    self.open = open
    self.commits = commits
  }

  /// Begins to move what it can, unless a move is running.
  func begin() {
    guard !isMoving.exchange(true, ordering: .relaxed) else { return }
    queue.async { [self] in
      // If it fails, the writer moves the log when it is much longer.
      _ = try? withConnection { $0.moveLog() }
      isMoving.store(false, ordering: .relaxed)
    }
  }

  /// Runs `body` on its own connection, which is opened if it is not, while no state is kept.
  func withConnection<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try turn.withLock { keeping in
      if keeping.isSuspended { throw SQLiteError.suspended }
      letGo(keeping)
      if let connection = keeping.connection { return try body(connection) }
      let connection = try open()
      keeping.connection = connection
      mayKeep.store(true, ordering: .relaxed)
      return try body(connection)
    }
  }

  /// Runs `body`, which moves the log on any connection, while no other one moves it and no state is
  /// kept.
  func alone<Value>(_ body: () throws -> Value) rethrows -> Value {
    try turn.withLock { keeping in
      letGo(keeping)
      return try body()
    }
  }

  /// Keeps no state and moves nothing until ``resume()``.
  func suspend() {
    turn.withLock { keeping in
      letGo(keeping)
      keeping.isSuspended = true
      mayKeep.store(false, ordering: .relaxed)
    }
  }

  func resume() {
    turn.withLock { keeping in
      guard !keeping.isClosed else { return }
      keeping.isSuspended = false
      mayKeep.store(true, ordering: .relaxed)
    }
  }

  /// Closes the connection, after a running move.
  func close() {
    suspend()
    turn.withLock { keeping in
      keeping.isClosed = true
      keeping.connection?.close()
      keeping.connection = nil
    }
  }
}

/// Keeping a state between short reads.
extension LogMover {
  /// Whether a state is kept.
  var isKeeping: Bool { kept.load(ordering: .relaxed) != 0 }

  /// Whether no commit of another process was noticed so far.
  var hasNoticedNobody: Bool { foreignCommit.load(ordering: .relaxed) == 0 }

  /// Records that a short read begins, before it does.
  @inline(__always)
  func recordRead() {
    let present = commits.current &+ 1
    if kept.load(ordering: .relaxed) != present, mayKeep.load(ordering: .relaxed) {
      keep(present)
    }
  }

  /// Keeps a state, if this is the second read of it.
  @inline(never)
  private func keep(_ present: UInt64) {
    // With a commit between any two reads, keeping a state would only add work.
    guard lastRead.exchange(present, ordering: .relaxed) == present else { return }
    // Does not wait for a log that is being moved.
    _ = turn.withLockIfAvailable { keeping in
      guard mayKeep.load(ordering: .relaxed) else { return }
      guard let connection = keeping.connection else { return beginOpening() }
      connection.rollback()
      do {
        try connection.runWithoutWaiting { connection in
          if keeping.beginning == nil {
            keeping.beginning = (commits.ownCount, try connection.first(Self.version))
            queue.asyncAfter(deadline: .now() + Self.longest) { [weak self] in self?.pause() }
          }
          try connection.execute("BEGIN DEFERRED", "Beginning a read")
          _ = try connection.first("PRAGMA schema_version")
        }
        kept.store(present, ordering: .relaxed)
      } catch {
        // The reads continue with locks of their own.
        connection.rollback()
        kept.store(0, ordering: .relaxed)
      }
    }
  }

  private func beginOpening() {
    // Until it is open; if it cannot be opened, the reads continue with locks of their own.
    mayKeep.store(false, ordering: .relaxed)
    queue.async { [weak self] in try? self?.withConnection { _ in } }
  }

  /// Keeps no state while another process writes, which the writer has noticed.
  ///
  /// Where both write, any kept state lets the log grow by what both write in the meantime.
  func recordForeignCommit() {
    foreignCommit.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
    guard mayKeep.exchange(false, ordering: .relaxed) else { return }
    // Whoever moves the log has let go.
    _ = turn.withLockIfAvailable { letGo($0) }
    keepAgain(after: .nanoseconds(Int(Self.foreignGap)))
  }

  /// Ends a time of keeping, so that another process can start the log over.
  private func pause() {
    turn.withLock { keeping in
      letGo(keeping)
      mayKeep.store(false, ordering: .relaxed)
      if isForeign(keeping) {
        foreignCommit.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
      }
      keeping.beginning = nil
    }
    keepAgain(after: Self.gap)
  }

  /// Lets a state be kept again, unless another process has written less than ``foreignGap`` before.
  private func keepAgain(after gap: DispatchTimeInterval) {
    queue.asyncAfter(deadline: .now() + gap) { [weak self] in
      guard let self else { return }
      let last = foreignCommit.load(ordering: .relaxed)
      let now = DispatchTime.now().uptimeNanoseconds
      if last > 0, now < last + Self.foreignGap {
        return keepAgain(after: .nanoseconds(Int(last + Self.foreignGap - now)))
      }
      turn.withLock { self.mayKeep.store(!$0.isSuspended, ordering: .relaxed) }
    }
  }

  /// Returns whether another process has written while this one has not.
  ///
  /// If this one has, its writer notices that.
  private func isForeign(_ keeping: Keeping) -> Bool {
    guard let (count, version) = keeping.beginning, count == commits.ownCount else { return false }
    let present = try? keeping.connection?.runWithoutWaiting { try $0.first(Self.version) }
    return present != nil && present != version
  }

  private func letGo(_ keeping: Keeping) {
    if kept.exchange(0, ordering: .relaxed) != 0 { keeping.connection?.rollback() }
  }

  private static let version = "PRAGMA data_version"
}
