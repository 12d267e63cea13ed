internal import Dispatch
internal import Evocation

extension Connection {
  /// Runs an operation on the connection's queue; cancelling the task stops its statement.
  func runOnQueue<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    // Later is too late: a short operation may be done before its interruption is told.
    try Task.checkCancellation()
    let answer = Promise<Result<Value, any Error>>()
    let interruption = Interruption()
    let held = Lock(Optional(body))
    queue.async {
      answer.fulfil(self.runTaking(held, interruption))
    }
    return try await withCancellationHandler {
      try await answer.value.get()
    } onCancel: {
      interruption.cancel()
    }
  }

  /// Runs the job that is held, and releases it with all that it has before its caller is resumed.
  private func runTaking<Value>(
    _ held: Lock<(@Sendable (Connection) throws -> Value)?>, _ interruption: Interruption
  ) -> Result<Value, any Error> {
    let body = held.withLock { held in
      defer { held = nil }
      return held
    }
    return Result {
      guard let body else { throw CancellationError() }
      return try run(interruption, body)
    }
  }
}
