internal import Dispatch
internal import Evocation

/// Lends each connection to one operation at a time, in the order of the requests.
///
/// A connection comes back on the thread where its operation ends, and the next operation begins
/// there. No operation waits for the actor or the thread of another operation's caller.
final class ConnectionPool: Sendable {
  typealias State = ConnectionPoolState<Connection, any ConnectionWaiter>

  let state: Lock<State>
  private let open: @Sendable () throws -> Connection

  /// Creates a pool; `isForLong` says that connections are lent for as long as the callers like.
  init(
    capacity: Int, isForLong: Bool = false, open: @escaping @Sendable () throws -> Connection
  ) {
    state = Lock(State(capacity: max(1, capacity), isForLong: isForLong))
    self.open = open
  }

  /// Lends an open idle connection; nil if there is none.
  func takeIdle() -> Connection? {
    state.withLock { $0.takeIdle() }
  }

  /// Lends a connection if one is idle or can be opened; nil if all are lent.
  func takeNow() throws -> Connection? {
    switch state.withLock({ $0.take() }) {
    case .lend(let connection): return connection
    case .open: return try openOne()
    case .wait: return nil
    case .refuse: throw SQLiteError.closed
    case .suspended: throw SQLiteError.suspended
    }
  }

  /// Runs an operation on the queue of a connection, after earlier requests.
  ///
  /// Canceling the task ends the wait, or stops the running statement.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let job = QueuedJob(body)
    enqueue(job)
    return try await job.value(takingOut: { [state] in
      state.withLock { $0.remove { $0 === job } }
    })
  }

  /// Lends a connection, and blocks the thread until there is one.
  func takeBlocking() throws -> Connection {
    if let connection = try takeNow() { return connection }
    let (waiter, semaphore) = (Borrower(), DispatchSemaphore(value: 0))
    enqueue(waiter)
    waiter.lent.whenFulfilled { semaphore.signal() }
    semaphore.wait()
    guard let lent = waiter.lent.present else { throw CancellationError() }
    return try lent.get()
  }

  /// Lends a connection, after earlier requests.
  ///
  /// Canceling the task ends the wait.
  func take() async throws -> Connection {
    let waiter = Borrower()
    enqueue(waiter)
    return try await withTaskCancellationHandler {
      try await waiter.lent.value.get()
    } onCancel: {
      if state.withLock({ $0.remove { $0 === waiter } }) { waiter.refuse(CancellationError()) }
    }
  }

  /// Takes a connection back, and lends it to the request that waits longest.
  func giveBack(_ connection: Connection) {
    perform(state.withLock { $0.giveBack(connection) }, connection)
  }

  /// Does the same on the connection's queue, after it has ended statements that were not read to
  /// their end.
  func giveBackFromQueue(_ connection: Connection) {
    connection.queue.async { [self] in
      connection.endStatements()
      giveBack(connection)
    }
  }

  /// Refuses further requests, waits for running operations, and closes the connections.
  ///
  /// It returns when they are closed, also to callers that close at the same time.
  func close() async {
    let drained = Promise<Void>()
    perform(state.withLock { $0.close(drained) }, nil)
    await drained.value
  }

  /// Lends nothing until ``resume()``.
  ///
  /// The promise resolves when no connection is lent any more.
  func suspend() -> Promise<Void> {
    let rested = Promise<Void>()
    perform(state.withLock { $0.suspend(rested) }, nil, because: .suspended)
    return rested
  }

  /// Lends again.
  func resume() {
    tell(state.withLock { $0.resume() })
  }

  private func perform(
    _ effect: State.Effect, _ connection: Connection?, because ending: SQLiteError = .closed
  ) {
    if let connection, let waiter = effect.served { serve(waiter, connection) }
    for waiter in effect.refused { waiter.refuse(ending) }
    tell(effect.drained)
    for connection in effect.released { release(connection, ending) }
  }

  private func serve(_ waiter: any ConnectionWaiter, _ connection: Connection) {
    waiter.begin(on: connection) { self.giveBack(connection) }
  }

  /// Closes a connection after its operation.
  ///
  /// The last one moves the log, which may be long.
  private func release(_ connection: Connection, _ ending: SQLiteError = .closed) {
    connection.queue.async { [state] in
      connection.close(because: ending)
      for drained in state.withLock({ $0.forget(1) }) { drained.fulfil() }
    }
  }

  private func tell(_ drained: [Promise<Void>]) {
    for drained in drained { drained.fulfil() }
  }

  private func enqueue(_ waiter: any ConnectionWaiter) {
    switch state.withLock({ $0.wait(waiter) }) {
    case .lend(let connection): serve(waiter, connection)
    case .open:
      // Opening reads the file, and waits for another process that has it to itself.
      DispatchQueue(label: "evocation.sqlite.open").async {
        do { self.serve(waiter, try self.openOne()) } catch { waiter.refuse(error) }
      }
    case .wait: break
    case .refuse: waiter.refuse(SQLiteError.closed)
    case .suspended: waiter.refuse(SQLiteError.suspended)
    }
  }

  private func openOne() throws -> Connection {
    do {
      let connection = try open()
      let (isLent, isClosed) = state.withLock { ($0.lend(connection), $0.isClosed) }
      if isLent { return connection }
      connection.close()
      throw isClosed ? SQLiteError.closed : .suspended
    } catch {
      let effect = state.withLock { $0.failToOpen() }
      for waiter in effect.refused { waiter.refuse(error) }
      tell(effect.drained)
      throw error
    }
  }
}

/// A request that waits for a connection.
protocol ConnectionWaiter: AnyObject, Sendable {
  /// Uses the connection, and calls `giveBack` to return it. The method itself returns immediately.
  func begin(on connection: Connection, _ giveBack: @escaping @Sendable () -> Void)

  /// Ends the wait with an error.
  func refuse(_ error: any Error)
}

/// A request for a connection that the caller returns itself.
private final class Borrower: ConnectionWaiter {
  let lent = Promise<Result<Connection, any Error>>()

  func begin(on connection: Connection, _: @escaping @Sendable () -> Void) {
    lent.fulfil(.success(connection))
  }

  func refuse(_ error: any Error) {
    lent.fulfil(.failure(error))
  }
}
