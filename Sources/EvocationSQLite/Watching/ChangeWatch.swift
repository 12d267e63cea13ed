internal import Dispatch
internal import Evocation

/// Finds out, while somebody observes, that another connection or process has committed.
///
/// The writer knows: its `data_version` changes with others' commits and never with its own. It is
/// asked when a file of the database was written and it is free, and at the beginning of each of our
/// own transactions, so that others' commits are told before ours that came after them.
final class ChangeWatch: Sendable {
  /// For how many milliseconds writes are gathered before the writer is asked again.
  private static let pause = 10

  /// How often the writer is asked again after a write, each time after twice as long.
  private static let mostLooks = 6

  /// For how many looks a write of ours may be slow to begin before it counts as held up.
  private static let fewestLateLooks = 5

  private struct State {
    var observers = 0
    var isClosed = false
    var files: FileWatch?
    /// Each write is another, so that nothing goes on that the one before began.
    var period = 0
    /// What the writer knew last; nil when that is not known.
    var version: SQLValue?
    var lastTurn = 0
    /// The turn of our own transaction that has not begun, because another process writes.
    var waitingTurn: Int?
    var lateTurn: Int?
    var lateLooks = 0
    var looksLeft = 0

    var isWatching: Bool { observers > 0 && !isClosed }
  }

  private let state = Lock(State())
  /// Held while watching begins or ends, because whoever observes must not ask before it has begun.
  private let changing = Lock(())
  private let queue = DispatchQueue(label: "evocation.sqlite.watch")
  /// What files are open to be watched.
  private let open = DispatchGroup()
  private let paths: [String]
  private let slowPace: DispatchTimeInterval
  private let writer: ConnectionPool
  private let tables: Lock<TableRegistry>
  private let commits: CommitClock

  /// Makes a watch on a file as SQLite calls it, or on none, when nobody else can reach it.
  ///
  /// At the slow pace the writer is asked when files cannot be watched.
  init(
    file: String?, slowPace: DispatchTimeInterval = .milliseconds(500), _ writer: ConnectionPool,
    _ tables: Lock<TableRegistry>, _ commits: CommitClock
  ) {
    paths = file.map { [$0, $0 + "-wal"] } ?? []
    self.slowPace = slowPace
    self.writer = writer
    self.tables = tables
    self.commits = commits
  }

  /// Whether others' commits are being looked for.
  var isWatching: Bool { state.withLock { $0.isWatching } }

  /// Watches until the observation ends, and as long as anybody else observes.
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

  /// Ends all watching for good.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.files = nil
    }
  }

  /// Waits, after ``close()``, until no file is open to be watched any more.
  func ended() async {
    let isOver = Promise<Void>()
    open.notify(queue: .global()) { isOver.fulfil() }
    await isOver.value
  }

  /// Runs a transaction of our own, before which others' commits are told.
  func transaction<Value>(
    _ connection: Connection, _ body: (Connection) throws -> Value
  ) throws -> Value {
    let isWatching = state.withLock { state in
      guard state.isWatching else { return false }
      state.lastTurn += 1
      state.waitingTurn = state.lastTurn
      return true
    }
    guard isWatching else { return try connection.transaction(body) }
    defer { state.withLock { $0.waitingTurn = nil } }
    return try connection.transaction { connection in
      state.withLock { $0.waitingTurn = nil }
      compare(connection)
      return try body(connection)
    }
  }

  /// Asks the writer on the watch's queue, now and a few times more.
  ///
  /// A commit becomes visible a little after the last write to a file, so the first may be early.
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
      // Closed meanwhile, it would have files open for good.
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
      // What is committed until the writer is free is not known, so it is told.
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

  private func watchFiles() -> FileWatch? {
    FileWatch(paths, on: queue, open) { [weak self] in self?.look() }
  }

  /// Waits for the next write, or for the time to look again without one.
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

  /// Finds out whether others have committed; false when the writer is busy.
  private func ask() -> Bool {
    do {
      if let connection = try writer.takeNow() {
        defer { writer.giveBack(connection) }
        compare(connection)
        return true
      }
    } catch {
      return true
    }
    // A write of ours that has not begun for a while waits for another process's, which then is
    // what wrote the files.
    let isForeign = state.withLock { state in
      let isLate = state.waitingTurn != nil && state.waitingTurn == state.lateTurn
      state.lateLooks = isLate ? state.lateLooks + 1 : 0
      state.lateTurn = state.waitingTurn
      return state.lateLooks >= Self.fewestLateLooks
    }
    if isForeign { tellUnknown() }
    return isForeign
  }

  /// Tells that others have committed if the writer, which the caller has, says so.
  private func compare(_ connection: Connection) {
    let version = Self.version(connection)
    let isForeign = state.withLock { state in
      defer { state.version = version }
      return version == nil || state.version != version
    }
    if isForeign { tellUnknown() }
  }

  private func tellUnknown() {
    // Before it is told, so that whoever asks again sees a state of at least this number.
    let version = commits.advance()
    for table in tables.withLock(\.all) { table.tellUnknown(version: version) }
  }

  private static func version(_ connection: Connection) -> SQLValue? {
    try? connection.first("PRAGMA data_version")
  }
}
