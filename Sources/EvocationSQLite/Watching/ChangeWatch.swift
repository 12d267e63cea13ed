internal import Dispatch
internal import Evocation

/// Notices commits of other connections and processes, while there are observers.
///
/// The writer's `data_version` changes with the commits of others, and never with its own. It is
/// read in three cases: soon after the log was written, seldom otherwise, and at the beginning of each
/// of our transactions. Others' commits are therefore reported before our later ones. ``WatchPace``
/// says which systems report that the log was written.
///
/// No file is opened to be watched, because closing a file releases every lock that the process has
/// on it, including SQLite's locks.
final class ChangeWatch: Sendable {
  private struct State {
    var observers = 0
    var isClosed = false
    /// The last `data_version` that was read; nil if unknown.
    var version: SQLValue?
    /// Reads the version regularly; nil while there are no observers.
    var timer: (any DispatchSourceTimer)?
    var reports: LogReports?
    /// Whether the log was written since the last look.
    var isReported = false
    var pace = WatchPace(hasReports: false)
    /// How often the version was read regularly.
    var lookCount = 0

    var isWatching: Bool { observers > 0 && !isClosed }

    mutating func stop() {
      timer?.cancel()
      (timer, reports, isReported) = (nil, nil, false)
    }
  }

  private let state = Lock(State())
  /// Held while watching begins or ends.
  ///
  /// An observer reads only after watching has begun.
  private let changing = Lock(())
  private let queue = DispatchQueue(label: "evocation.sqlite.watch")
  private let times: WatchTimes
  private let log: String?
  private let writer: ConnectionPool
  private let tables: Lock<TableRegistry>
  private let commits: CommitClock

  /// Creates a watch, which does nothing without the path of a log, as for a database in memory.
  init(
    _ writer: ConnectionPool, tables: Lock<TableRegistry>, commits: CommitClock, log: String?,
    times: WatchTimes = .system
  ) {
    self.log = log
    self.times = times
    self.writer = writer
    self.tables = tables
    self.commits = commits
  }

  deinit { close() }

  /// Whether the watch looks for commits of others.
  var isWatching: Bool { state.withLock { $0.isWatching } }

  /// Whether it looks often now.
  var isOften: Bool { state.withLock { $0.pace.isOften } }

  /// How often it has looked for commits of others, beside the transactions.
  var lookCount: Int { state.withLock { $0.lookCount } }

  /// Watches until this observation, and every other one, has ended.
  func begin() -> Evocation.Observation? {
    guard log != nil else { return nil }
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
    // Reports begin before the version is read, so that nothing is between.
    state.withLock { state in
      state.reports = LogReports(of: log, on: queue) { [weak self] in self?.recordReport() }
    }
    // Without the writer the version is unknown, so the first comparison reports a change.
    let version = withFreeWriter { Self.version($0) } ?? nil
    state.withLock { state in
      guard state.isWatching else { return }
      state.version = version
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.look() }
      state.timer = timer
      state.pace = WatchPace(hasReports: state.reports != nil)
      if state.isReported { state.pace.wrote() }
      schedule(&state)
      timer.resume()
    }
  }

  /// Lets the timer follow the pace.
  private func schedule(_ state: inout State) {
    let isOften = state.pace.isOften
    state.timer?.schedule(
      deadline: .now() + (isOften ? times.first : times.seldom),
      repeating: isOften ? times.often : times.seldom, leeway: times.leeway)
  }

  private func recordReport() {
    state.withLock { state in
      guard state.isWatching else { return }
      state.isReported = true
      guard !state.pace.isOften else { return }
      state.pace.wrote()
      schedule(&state)
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

  /// Looks for commits of others, and decides when to look again.
  func look() {
    let isWatching = state.withLock { state in
      guard state.isWatching else { return false }
      state.lookCount += 1
      // Before the version is read, so that nothing is between.
      state.reports?.askForNext()
      return true
    }
    guard isWatching else { return }
    // If the writer is busy, the next transaction of ours or the next turn of the timer looks.
    let isFound = withFreeWriter { connection in connection.running { compare($0) } }
    state.withLock { state in
      guard state.isWatching else { return }
      let wasOften = state.pace.isOften
      if state.isReported { state.pace.wrote() }
      state.isReported = false
      state.pace.looked(isFound.map { $0 ? .found : .nothing } ?? .busy)
      if state.pace.isOften != wasOften { schedule(&state) }
    }
  }

  private func withFreeWriter<Value>(_ body: (Connection) -> Value) -> Value? {
    guard let connection = writer.takeIdle() else { return nil }
    defer { writer.giveBack(connection) }
    return body(connection)
  }

  /// Reports that others have committed if the version has changed, and returns whether it has.
  ///
  /// The caller holds the writer.
  @discardableResult
  private func compare(_ connection: Connection) -> Bool {
    let version = Self.version(connection)
    let isForeign = state.withLock { state in
      defer { state.version = version }
      return version == nil || state.version != version
    }
    if isForeign { tellUnknown() }
    return isForeign
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
