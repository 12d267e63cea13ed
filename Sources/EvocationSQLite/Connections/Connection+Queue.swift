internal import Dispatch
internal import Evocation

extension Connection {
  /// Runs an operation on the connection's queue; cancelling the task stops its statement.
  ///
  /// It is for a connection that the caller keeps; ``ConnectionPool`` runs what gives it back.
  func runOnQueue<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    // Later is too late: a short operation may be done before its interruption is told.
    try Task.checkCancellation()
    let job = QueuedJob(body)
    job.begin(on: self) {}
    return try await job.value()
  }
}

/// An operation on its way to a connection's queue, and its result on the way back.
///
/// When its caller is resumed, nothing on the queue holds either of them: the thread there may be
/// suspended before it ends, and would keep many models alive as long.
final class QueuedJob<Value: Sendable>: ConnectionWaiter {
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

  func begin(on connection: Connection, _ giveBack: @escaping @Sendable () -> Void) {
    connection.queue.async { [self] in
      run(on: connection)
      // Before its caller is told, whose actor may be busy for as long as it likes.
      giveBack()
      isDone.fulfil()
    }
  }

  func refuse(_ error: any Error) {
    state.withLock { $0 = .ended(.failure(error)) }
    isDone.fulfil()
  }

  /// The result, once; cancelling the task stops the statement, unless it takes the job out of those
  /// that wait.
  func value(takingOut isTakenOut: @escaping @Sendable () -> Bool = { false }) async throws -> Value
  {
    try await withCancellationHandler {
      await isDone.value
      guard case .ended(let result) = take() else { throw CancellationError() }
      return try result.get()
    } onCancel: {
      if isTakenOut() { refuse(CancellationError()) } else { interruption.cancel() }
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
