internal import Dispatch
internal import Evocation

/// Lends each connection to one operation at a time, in the order of the requests.
///
/// A connection comes back on the thread where its operation ends, and the next operation begins
/// there. No operation waits for the actor or the thread of another operation's caller.
final class ConnectionPool: Sendable {
  /// A request for a connection, and later the connection, or why there is none.
  typealias Request = Promise<Result<Connection, any Error>>
  typealias State = ConnectionPoolState<Connection, Request>

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

  /// Runs an operation on the queue of a connection, after earlier requests.
  ///
  /// Canceling the task ends the wait, or stops the running statement.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    let (job, request) = (QueuedJob(body), Request())
    return try await job.value(takingOut: { self.cancel(request) }) {
      request.whenFulfilled {
        switch request.present {
        case .success(let connection): job.begin(on: connection) { self.giveBack(connection) }
        case .failure(let error): job.refuse(error)
        case nil: break
        }
      }
      enqueue(request)
    }
  }

  /// Lends a connection, and blocks the thread until there is one.
  func takeBlocking() throws -> Connection {
    let (request, semaphore) = (Request(), DispatchSemaphore(value: 0))
    enqueue(request, mayBlock: true)
    request.whenFulfilled { semaphore.signal() }
    semaphore.wait()
    guard let lent = request.present else { throw CancellationError() }
    return try lent.get()
  }

  /// Lends a connection, after earlier requests.
  ///
  /// Canceling the task ends the wait.
  func take() async throws -> Connection {
    let request = Request()
    enqueue(request)
    return try await withTaskCancellationHandler {
      try await request.value.get()
    } onCancel: {
      cancel(request)
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
    perform(state.withLock { $0.close(drained) })
    await drained.value
  }

  /// Lends nothing until ``resume()``.
  ///
  /// The promise resolves when no connection is lent any more.
  func suspend() -> Promise<Void> {
    let rested = Promise<Void>()
    perform(state.withLock { $0.suspend(rested) }, because: SQLiteError.suspended)
    return rested
  }

  /// Lends again.
  func resume() {
    tell(state.withLock { $0.resume() })
  }

  private func perform(
    _ effect: State.Effect, _ connection: Connection? = nil,
    because ending: any Error = SQLiteError.closed
  ) {
    if let connection { effect.served?.fulfil(.success(connection)) }
    for request in effect.refused { request.fulfil(.failure(ending)) }
    tell(effect.ended)
    for connection in effect.released { release(connection, ending) }
  }

  /// Closes a connection after its operation.
  ///
  /// The last one moves the log, which may be long.
  private func release(_ connection: Connection, _ ending: any Error) {
    connection.queue.async { [self] in
      connection.close(because: ending)
      tell(state.withLock { $0.forget() })
    }
  }

  private func tell(_ ended: [Promise<Void>]) {
    for promise in ended { promise.fulfil() }
  }

  private func enqueue(_ request: Request, mayBlock: Bool = false) {
    switch state.withLock({ $0.wait(request) }) {
    case .lend(let connection): request.fulfil(.success(connection))
    case .open:
      // Opening reads the file, and waits for another process that has it to itself.
      guard !mayBlock else { return openOne(for: request) }
      DispatchQueue(label: "evocation.sqlite.open").async { self.openOne(for: request) }
    case .wait: break
    case .refuse(let error): request.fulfil(.failure(error))
    }
  }

  /// Ends the wait of a request; false if it does not wait any more.
  @discardableResult
  private func cancel(_ request: Request) -> Bool {
    guard state.withLock({ $0.remove { $0 === request } }) else { return false }
    return request.fulfil(.failure(CancellationError()))
  }

  private func openOne(for request: Request) {
    do {
      let connection = try open()
      if let refusal = state.withLock({ $0.lend(connection) }) {
        connection.close()
        throw refusal
      }
      request.fulfil(.success(connection))
    } catch {
      perform(state.withLock { $0.failToOpen() }, because: error)
      request.fulfil(.failure(error))
    }
  }
}
