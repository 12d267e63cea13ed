internal import Dispatch
internal import Evocation

/// Notices commits of other connections and processes, while there are observers.
///
/// The writer's `data_version` changes with the commits of others, and never with its own. It is
/// read in two cases: regularly while the writer is free, and at the beginning of each of our
/// transactions. Others' commits are therefore reported before our later ones.
///
/// No file is opened to be watched, because closing a file releases every lock that the process has
/// on it, including SQLite's locks.
final class ChangeWatch: Sendable {
  #if canImport(Darwin)
    /// How often the version is read, and by how much later: as seldom as `observeChanges` allows,
    /// to save the battery.
    private static let (pace, leeway) = (
      DispatchTimeInterval.milliseconds(50), DispatchTimeInterval.milliseconds(50)
    )
  #else
    /// How often the version is read, and by how much later, as `observeChanges` promises.
    private static let (pace, leeway) = (
      DispatchTimeInterval.milliseconds(15), DispatchTimeInterval.milliseconds(5)
    )
  #endif

  private struct State {
    var observers = 0
    var isClosed = false
    /// The last `data_version` that was read; nil if unknown.
    var version: SQLValue?
    /// Reads the version regularly; nil while there are no observers.
    var timer: (any DispatchSourceTimer)?

    var isWatching: Bool { observers > 0 && !isClosed }

    mutating func stop() {
      timer?.cancel()
      timer = nil
    }
  }

  private let state = Lock(State())
  /// Held while watching begins or ends.
  ///
  /// An observer reads only after watching has begun.
  private let changing = Lock(())
  private let queue = DispatchQueue(label: "evocation.sqlite.watch")
  private let isNeeded: Bool
  private let writer: ConnectionPool
  private let tables: Lock<TableRegistry>
  private let commits: CommitClock

  /// Creates a watch, which does nothing if it is not needed, as for a database in memory.
  init(
    isNeeded: Bool, _ writer: ConnectionPool, tables: Lock<TableRegistry>, commits: CommitClock
  ) {
    self.isNeeded = isNeeded
    self.writer = writer
    self.tables = tables
    self.commits = commits
  }

  deinit { close() }

  /// Whether the watch looks for commits of others.
  var isWatching: Bool { state.withLock { $0.isWatching } }

  /// Watches until this observation, and every other one, has ended.
  func begin() -> Evocation.Observation? {
    guard isNeeded else { return nil }
    changing.withLock { _ in
      let isFirst = state.withLock { state in
        state.observers += 1
        return state.observers == 1
      }
      if isFirst { start() }
    }
    return Evocation.Observation { [weak self] in self?.end() }
  }

  /// Ends all watching permanently.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.stop()
    }
  }

  /// Runs one of our transactions, after it has reported commits of others.
  func transaction<Value>(
    _ connection: Connection, _ body: (Connection) throws -> Value
  ) throws -> Value {
    let isWatching = isWatching
    return try connection.transaction { connection in
      if isWatching { compare(connection) }
      return try body(connection)
    }
  }

  private func start() {
    // Without the writer the version is unknown, so the first comparison reports a change.
    let version = withFreeWriter { Self.version($0) } ?? nil
    state.withLock { state in
      guard state.isWatching else { return }
      state.version = version
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.look() }
      timer.schedule(deadline: .now() + Self.pace, repeating: Self.pace, leeway: Self.leeway)
      timer.resume()
      state.timer = timer
    }
  }

  private func end() {
    changing.withLock { _ in
      state.withLock { state in
        state.observers -= 1
        if state.observers == 0 { state.stop() }
      }
    }
  }

  private func look() {
    guard isWatching else { return }
    // If the writer is busy, the next transaction of ours or the next turn of the timer looks.
    withFreeWriter { connection in connection.running { compare($0) } }
  }

  @discardableResult
  private func withFreeWriter<Value>(_ body: (Connection) -> Value) -> Value? {
    guard let connection = writer.takeIdle() else { return nil }
    defer { writer.giveBack(connection) }
    return body(connection)
  }

  /// Reports that others have committed if the version has changed.
  ///
  /// The caller holds the writer.
  private func compare(_ connection: Connection) {
    let version = Self.version(connection)
    let isForeign = state.withLock { state in
      defer { state.version = version }
      return version == nil || state.version != version
    }
    if isForeign { tellUnknown() }
  }

  private func tellUnknown() {
    // The number is advanced first, so that an observer that reads again gets at least this
    // version.
    let version = commits.advance()
    for table in tables.withLock(\.all) { table.tellUnknown(version: version) }
  }

  private static func version(_ connection: Connection) -> SQLValue? {
    try? connection.first("PRAGMA data_version")
  }
}
