internal import Dispatch
internal import Evocation

extension Connection {
  /// Runs an operation on the connection's queue.
  ///
  /// Canceling the task stops its statement.
  ///
  /// It is for a connection that the caller keeps. ``ConnectionPool`` runs operations that return
  /// their connection.
  func runOnQueue<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    // A later check is too late: a short operation may finish before its interruption arrives.
    try Task.checkCancellation()
    let job = QueuedJob(body)
    job.begin(on: self) {}
    return try await job.value()
  }
}

/// An operation for a connection's queue, and later its result.
///
/// When the caller resumes, the queue holds neither of them. The system may suspend its thread
/// before the job ends, which would keep many models alive for that long.
final class QueuedJob<Value: Sendable>: Sendable {
  typealias Body = @Sendable (Connection) throws -> Value

  private enum State {
    case waits(Body)
    case ended(Result<Value, any Error>)
    case taken
  }

  private let state: Lock<State>
  private let isDone = Promise<Void>()
  private let interruption = Interruption()

  init(_ body: @escaping Body) {
    state = Lock(.waits(body))
  }

  /// Runs on the connection's queue, and calls `giveBack` to return the connection.
  func begin(on connection: Connection, _ giveBack: @escaping @Sendable () -> Void) {
    connection.queue.async { [self] in
      run(on: connection)
      // The connection is returned before the caller resumes, whose actor may be busy for any time.
      giveBack()
      isDone.fulfil()
    }
  }

  /// Ends with an error, in place of running.
  func refuse(_ error: any Error) {
    state.withLock { $0 = .ended(.failure(error)) }
    isDone.fulfil()
  }

  /// Returns the result, once.
  ///
  /// Canceling the task stops the statement, unless `takingOut` has refused the job, which waited.
  func value(takingOut isTakenOut: @escaping @Sendable () -> Bool = { false }) async throws -> Value
  {
    try await withCancellationHandler {
      await isDone.value
      guard case .ended(let result) = take() else { throw CancellationError() }
      return try result.get()
    } onCancel: {
      if !isTakenOut() { interruption.cancel() }
    }
  }

  private func run(on connection: Connection) {
    guard case .waits(let body) = take() else { return }
    let result = Result { try connection.run(interruption, body) }
    state.withLock { $0 = .ended(result) }
  }

  private func take() -> State {
    state.withLock { state in
      defer { state = .taken }
      return state
    }
  }
}
