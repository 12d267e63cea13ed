internal import Dispatch
internal import Evocation

/// Connections that are lent to one operation each, in the order in which they were asked for.
final class ConnectionPool: Sendable {
  typealias Waiter = Promise<Result<Connection, any Error>>
  typealias State = ConnectionPoolState<Connection, Waiter>

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
    case .refuse: throw SQLiteError.closed
    }
  }

  /// Lends a connection, after those that asked before; cancelling the task ends the wait.
  func take() async throws -> Connection {
    if let connection = takeIdle() { return connection }
    let waiter = Waiter()
    enqueue(waiter)
    return try await withCancellationHandler {
      try await waiter.value.get()
    } onCancel: {
      let isTaken = state.withLock { $0.remove { $0 === waiter } }
      if isTaken { waiter.fulfil(.failure(CancellationError())) }
    }
  }

  /// Lends a connection, and keeps the thread until there is one.
  func takeBlocking() throws -> Connection {
    if let connection = try takeNow() { return connection }
    let waiter = Waiter()
    let semaphore = DispatchSemaphore(value: 0)
    enqueue(waiter)
    waiter.whenFulfilled { semaphore.signal() }
    semaphore.wait()
    guard let connection = waiter.present else { throw CancellationError() }
    return try connection.get()
  }

  /// Opens a connection for one user alone, beyond the capacity, until it is given back or the
  /// pool closes.
  func takeApart() async throws -> Connection {
    guard state.withLock({ $0.openApart() }) else { throw SQLiteError.closed }
    let opened = Waiter()
    DispatchQueue.global().async { [open] in opened.fulfil(Result { try open() }) }
    do {
      let connection = try await opened.value.get()
      if state.withLock({ $0.lendApart(connection) }) { return connection }
      connection.close()
      throw SQLiteError.closed
    } catch {
      tell(state.withLock { $0.forgetApart() })
      throw error
    }
  }

  /// Closes a connection that was lent apart, unless closing the pool does so.
  func giveBackApart(_ connection: Connection) {
    guard let connection = state.withLock({ $0.takeApart { $0 === connection } }) else { return }
    connection.close()
    tell(state.withLock { $0.forgetApart() })
  }

  /// Takes a connection back, for the one who waits longest.
  func giveBack(_ connection: Connection) {
    perform(state.withLock { $0.giveBack(connection) }, connection)
  }

  /// Has idle connections end the snapshots that they hold.
  func letGoIdle() {
    for connection in state.withLock({ $0.takeAllIdle() }) {
      connection.letGo()
      giveBack(connection)
    }
  }

  /// Refuses what comes from now on, waits for what runs, and closes the connections.
  ///
  /// It returns when they are closed, to each caller that closes at the same time.
  func close() async {
    let drained = Promise<Void>()
    perform(state.withLock { $0.close(drained) }, nil)
    await drained.value
  }

  private func perform(_ effect: State.Effect, _ connection: Connection?) {
    if let connection { effect.served?.fulfil(.success(connection)) }
    for waiter in effect.refused { waiter.fulfil(.failure(SQLiteError.closed)) }
    tell(effect.drained)
    for connection in effect.released { release(connection) }
  }

  /// Closes a connection after whatever it runs: the last one moves the log, which may be long.
  private func release(_ connection: Connection) {
    connection.queue.async { [state] in
      connection.close()
      for drained in state.withLock({ $0.forget(1) }) { drained.fulfil() }
    }
  }

  private func tell(_ drained: [Promise<Void>]) {
    for drained in drained { drained.fulfil() }
  }

  private func enqueue(_ waiter: Waiter) {
    switch state.withLock({ $0.wait(waiter) }) {
    case .lend(let connection): waiter.fulfil(.success(connection))
    case .open:
      // Opening reads the file, and waits for another process that has all of it to itself.
      DispatchQueue(label: "evocation.sqlite.open").async {
        waiter.fulfil(Result { try self.openOne() })
      }
    case .wait: break
    case .refuse: waiter.fulfil(.failure(SQLiteError.closed))
    }
  }

  private func openOne() throws -> Connection {
    do {
      return try open()
    } catch {
      let effect = state.withLock { $0.failToOpen() }
      for waiter in effect.refused { waiter.fulfil(.failure(error)) }
      tell(effect.drained)
      throw error
    }
  }
}
