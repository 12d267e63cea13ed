internal import Dispatch
internal import Evocation

/// Connections that are lent to one operation each, in the order in which they were asked for.
final class ConnectionPool: Sendable {
  typealias State = ConnectionPoolState<Connection, Handoff<Connection>>

  let state: Lock<State>
  private let open: @Sendable () throws -> Connection

  init(capacity: Int, open: @escaping @Sendable () throws -> Connection) {
    state = Lock(State(capacity: max(1, capacity)))
    self.open = open
  }

  /// Lends a connection that is open and free, and nil when there is none.
  func takeIdle() -> Connection? {
    state.withLock { $0.takeIdle() }
  }

  /// Lends a connection when one is free or can be opened, and nil when all are lent.
  func takeNow() throws -> Connection? {
    switch state.withLock({ $0.take() }) {
    case .lend(let connection): return connection
    case .open: return try openOne()
    case .wait: return nil
    case .refuse: throw Self.closed
    }
  }

  /// Lends a connection, after those that asked before; cancelling the task ends the wait.
  func take() async throws -> Connection {
    if let connection = takeIdle() { return connection }
    let waiter = Handoff<Connection>()
    enqueue(waiter)
    return try await withCancellationHandler {
      try await waiter.value()
    } onCancel: {
      let isTaken = state.withLock { $0.remove { $0 === waiter } }
      if isTaken { waiter.put(.failure(CancellationError())) }
    }
  }

  /// Lends a connection, and keeps the thread until there is one.
  func takeBlocking() throws -> Connection {
    if let connection = try takeNow() { return connection }
    let waiter = Handoff<Connection>()
    let semaphore = DispatchSemaphore(value: 0)
    enqueue(waiter)
    waiter.whenPut { semaphore.signal() }
    semaphore.wait()
    return try waiter.take()
  }

  /// Opens a connection that is nobody else's, and that the pool does not count.
  func openApart() async throws -> Connection {
    if state.withLock(\.isClosed) { throw Self.closed }
    let opened = Handoff<Connection>()
    DispatchQueue.global().async { [open] in opened.put(Result { try open() }) }
    return try await opened.value()
  }

  /// Takes a connection back, for the one who waits longest.
  func giveBack(_ connection: Connection) {
    let effect = state.withLock { $0.giveBack(connection) }
    effect.served?.put(.success(connection))
    for drained in effect.drained { drained.put(.success(())) }
  }

  /// Refuses what comes from now on, waits for what runs, and closes the connections.
  func close() async {
    let drained = Handoff<Void>()
    let effect = state.withLock { $0.close(drained) }
    for waiter in effect.refused { waiter.put(.failure(Self.closed)) }
    for drained in effect.drained { drained.put(.success(())) }
    try? await drained.value()
  }

  private func enqueue(_ waiter: Handoff<Connection>) {
    switch state.withLock({ $0.wait(waiter) }) {
    case .lend(let connection): waiter.put(.success(connection))
    case .open:
      // Opening reads the file, and waits for another process that has all of it to itself.
      DispatchQueue(label: "evocation.sqlite.open").async {
        waiter.put(Result { try self.openOne() })
      }
    case .wait: break
    case .refuse: waiter.put(.failure(Self.closed))
    }
  }

  private func openOne() throws -> Connection {
    do {
      return try open()
    } catch {
      let effect = state.withLock { $0.failToOpen() }
      for waiter in effect.refused { waiter.put(.failure(error)) }
      for drained in effect.drained { drained.put(.success(())) }
      throw error
    }
  }

  private static var closed: SQLiteError {
    SQLiteError(.closed, "The call failed: the database was closed; make another SQLiteDatabase.")
  }
}
