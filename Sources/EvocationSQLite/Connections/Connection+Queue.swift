internal import Dispatch
internal import Evocation

extension Connection {
  /// Runs an operation on the connection's queue; cancelling the task stops its statement.
  func runOnQueue<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    // Later is too late: a short operation may be done before its interruption is told.
    try Task.checkCancellation()
    let job = QueuedJob(body)
    let isDone = Promise<Void>()
    let interruption = Interruption()
    queue.async {
      job.run(on: self, interruption)
      isDone.fulfil()
    }
    return try await withCancellationHandler {
      await isDone.value
      return try job.result().get()
    } onCancel: {
      interruption.cancel()
    }
  }
}

/// An operation on its way to a connection's queue, and its result on the way back.
///
/// When its caller is resumed, nothing on the queue holds either of them: the thread there may be
/// suspended before it ends, and would keep many models alive as long.
private final class QueuedJob<Value: Sendable>: Sendable {
  typealias Body = @Sendable (Connection) throws -> Value

  private enum State {
    case waits(Body)
    case ended(Result<Value, any Error>)
    case taken
  }

  private let state: Lock<State>

  init(_ body: @escaping Body) {
    state = Lock(.waits(body))
  }

  func run(on connection: Connection, _ interruption: Interruption) {
    guard case .waits(let body) = take() else { return }
    let result = Result { try connection.run(interruption, body) }
    state.withLock { $0 = .ended(result) }
  }

  /// The result, once.
  func result() -> Result<Value, any Error> {
    guard case .ended(let result) = take() else { return .failure(CancellationError()) }
    return result
  }

  private func take() -> State {
    state.withLock { state in
      defer { state = .taken }
      return state
    }
  }
}
