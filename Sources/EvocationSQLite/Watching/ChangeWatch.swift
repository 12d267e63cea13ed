internal import Dispatch
internal import Evocation

/// Finds out, while somebody observes, that another connection or process has committed.
///
/// The writer knows: its `data_version` changes with others' commits and never with its own. It is
/// asked when a file of the database was written and it is free, and at the beginning of each of our
/// own transactions, so that others' commits are told before ours that came after them.
final class ChangeWatch: Sendable {
  /// For how long writes are gathered before the writer is asked again.
  private static let pause = DispatchTimeInterval.milliseconds(10)

  private struct State {
    var observers = 0
    var isClosed = false
    var files: FileWatch?
    /// Each time that watching begins is another, so that nothing goes on from the one before.
    var period = 0
    /// What the writer knew last; nil when that is not known.
    var version: SQLValue?
    var lastTurn = 0
    /// The turn of our own transaction that has not begun, because another process writes.
    var waitingTurn: Int?
    var lateTurn: Int?

    var isWatching: Bool { observers > 0 && !isClosed }
  }

  private let state = Lock(State())
  /// Held while watching begins or ends, because whoever observes must not ask before it has begun.
  private let changing = Lock(())
  private let queue = DispatchQueue(label: "evocation.sqlite.watch")
  private let paths: [String]
  private let slowPace: DispatchTimeInterval
  private let writer: ConnectionPool
  private let tables: Lock<TableRegistry>

  /// Makes a watch on a file as SQLite calls it, or on none, when nobody else can reach it.
  ///
  /// At the slow pace the writer is asked when files cannot be watched.
  init(
    file: String?, slowPace: DispatchTimeInterval = .milliseconds(500), _ writer: ConnectionPool,
    _ tables: Lock<TableRegistry>
  ) {
    paths = file.map { [$0, $0 + "-wal"] } ?? []
    self.slowPace = slowPace
    self.writer = writer
    self.tables = tables
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

  /// Asks the writer on the watch's queue, unless it is busy: then a little later.
  func look() {
    let period = state.withLock { state -> Int? in
      guard state.isWatching else { return nil }
      state.files?.pause()
      if state.files?.renew() != true { state.files = nil }
      return state.period
    }
    guard let period else { return }
    let isAsked = ask()
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      self?.goOn(period, isAsked: isAsked)
    }
  }

  private func start() {
    let files = watchFiles()
    let period = state.withLock { state in
      state.files = files
      state.period += 1
      state.version = nil
      return state.period
    }
    if let connection = try? writer.takeNow() {
      let version = Self.version(connection)
      state.withLock { $0.version = version }
      writer.giveBack(connection)
      queue.async { self.goOn(period, isAsked: true) }
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
    FileWatch(paths, on: queue) { [weak self] in self?.look() }
  }

  private func goOn(_ period: Int, isAsked: Bool) {
    let isSlow = state.withLock { state -> Bool? in
      guard state.isWatching, state.period == period else { return nil }
      if isAsked, state.files == nil { state.files = watchFiles() }
      if isAsked { state.files?.resume() }
      return state.files == nil
    }
    guard let isSlow else { return }
    if !isAsked { return look() }
    guard isSlow else { return }
    queue.asyncAfter(deadline: .now() + slowPace) { [weak self] in self?.look() }
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
    // A write of ours that waits for another process's, and has not begun since we last looked,
    // cannot be what wrote the files.
    let isForeign = state.withLock { state in
      defer { state.lateTurn = state.waitingTurn }
      return state.waitingTurn != nil && state.waitingTurn == state.lateTurn
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
    for table in tables.withLock(\.all) { table.tellUnknown() }
  }

  private static func version(_ connection: Connection) -> SQLValue? {
    try? connection.first("PRAGMA data_version")
  }
}
