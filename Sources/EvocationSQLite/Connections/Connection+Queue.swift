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
    let job = QueuedJob(body)
    return try await job.value { job.begin(on: self) {} }
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

  /// Asks for the job to begin, and returns the result, once.
  ///
  /// Canceling the task stops the statement, unless `takingOut` has refused the job, which waited.
  /// The job begins under the handler, because it may end before a handler that comes later.
  func value(
    takingOut isTakenOut: @escaping @Sendable () -> Bool = { false }, from ask: () -> Void
  ) async throws -> Value {
    try await withCancellationHandler {
      try Task.checkCancellation()
      ask()
      // The handler found nothing to take out if it came just before.
      if Task.isCancelled { _ = isTakenOut() }
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
