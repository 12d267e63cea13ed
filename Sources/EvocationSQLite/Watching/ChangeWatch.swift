internal import Dispatch
internal import Evocation

/// Notices commits of other connections and processes, while there are observers.
///
/// The writer's `data_version` changes with the commits of others, and never with its own. It is
/// read in two cases: when the writer is free after a write to a file of the database, and at the
/// beginning of each of our transactions. Others' commits are therefore reported before our later
/// ones.
final class ChangeWatch: Sendable {
  /// The milliseconds in which further writes are collected before the version is read again.
  private static let pause = 10

  /// How often the version is read after a write.
  ///
  /// Each pause is twice as long as the one before.
  private static let mostLooks = 6

  private struct State {
    var observers = 0
    var isClosed = false
    var files: (any FileWatch)?
    /// Grows with each write, which ends the repeated reads that an earlier write began.
    var period = 0
    /// The last `data_version` that was read; nil if unknown.
    var version: SQLValue?
    var looksLeft = 0

    var isWatching: Bool { observers > 0 && !isClosed }
  }

  private let state = Lock(State())
  /// Held while watching begins or ends.
  ///
  /// An observer reads only after watching has begun.
  private let changing = Lock(())
  private let queue = DispatchQueue(label: "evocation.sqlite.watch")
  /// Entered for each file that is open to be watched.
  private let open = DispatchGroup()
  private let paths: [String]
  private let watched: FileWatching
  private let slowPace: DispatchTimeInterval
  private let writer: ConnectionPool
  private let tables: Lock<TableRegistry>
  private let commits: CommitClock

  /// Creates a watch on a file as SQLite names it; nil for a database that no other process can
  /// open.
  ///
  /// The slow pace is for systems on which files cannot be watched.
  init(
    file: String?, by watched: @escaping FileWatching = SystemFileWatch.init,
    slowPace: DispatchTimeInterval = .milliseconds(500), _ writer: ConnectionPool,
    _ tables: Lock<TableRegistry>, _ commits: CommitClock
  ) {
    self.watched = watched
    paths = file.map { [$0, $0 + "-wal"] } ?? []
    self.slowPace = slowPace
    self.writer = writer
    self.tables = tables
    self.commits = commits
  }

  /// Whether the watch looks for commits of others.
  var isWatching: Bool { state.withLock { $0.isWatching } }

  /// Watches until this observation, and every other one, has ended.
  func begin() -> Evocation.Observation? {
    guard !paths.isEmpty else { return nil }
    changing.withLock { _ in
      let isFirst = state.withLock { state in
        state.observers += 1
        return state.observers == 1 && !state.isClosed
      }
      if isFirst { start() }
    }
    return Evocation.Observation { [weak self] in self?.end() }
  }

  /// Ends all watching permanently.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.files = nil
    }
  }

  /// Waits, after ``close()``, until the watched files are closed.
  func ended() async {
    let isOver = Promise<Void>()
    open.notify(queue: .global()) { isOver.fulfil() }
    await isOver.value
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

  /// Reads the version on the watch's queue, now and a few more times.
  ///
  /// A commit becomes visible shortly after the last write to a file, so one read may be too early.
  func look() {
    let period = state.withLock { state -> Int? in
      guard state.isWatching else { return nil }
      state.files?.pause()
      if state.files?.renew() != true { state.files = nil }
      state.period += 1
      state.looksLeft = Self.mostLooks
      return state.period
    }
    if let period { lookOnce(period) }
  }

  private func lookOnce(_ period: Int) {
    guard state.withLock({ $0.isWatching && $0.period == period }) else { return }
    let isAsked = ask()
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.pause)) { [weak self] in
      if isAsked { self?.goOn(period) } else { self?.lookOnce(period) }
    }
  }

  private func start() {
    let files = watchFiles()
    let period = state.withLock { state in
      // If the watch was closed in the meantime, these files would stay open.
      if state.isWatching { state.files = files }
      state.period += 1
      state.looksLeft = Self.mostLooks
      state.version = nil
      return state.period
    }
    if let connection = try? writer.takeNow() {
      let version = Self.version(connection)
      state.withLock { $0.version = version }
      writer.giveBack(connection)
      queue.async { self.goOn(period) }
    } else {
      // The version is unknown until the writer is free, so the first look reports a change.
      queue.async { self.look() }
    }
  }

  private func end() {
    changing.withLock { _ in
      state.withLock { state in
        state.observers -= 1
        if state.observers == 0 { state.files = nil }
      }
    }
  }

  private func watchFiles() -> (any FileWatch)? {
    watched(paths, queue, open) { [weak self] in self?.look() }
  }

  /// Waits for the next write, or for the time of the next read without one.
  private func goOn(_ period: Int) {
    let delay = state.withLock { state -> DispatchTimeInterval? in
      guard state.isWatching, state.period == period else { return nil }
      state.files = state.files ?? watchFiles()
      state.files?.resume()
      guard state.files != nil else { return slowPace }
      guard state.looksLeft > 0 else { return nil }
      state.looksLeft -= 1
      return .milliseconds(Self.pause << (Self.mostLooks - state.looksLeft))
    }
    guard let delay else { return }
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.lookOnce(period) }
  }

  /// Reads the version if the writer is free; false if it is busy.
  private func ask() -> Bool {
    do {
      if let connection = try writer.takeNow() {
        defer { writer.giveBack(connection) }
        connection.running { compare($0) }
        return true
      }
    } catch {
      return true
    }
    // A transaction of ours reads the version as it begins.
    return false
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
