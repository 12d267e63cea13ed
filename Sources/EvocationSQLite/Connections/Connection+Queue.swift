internal import Dispatch

extension Connection {
  /// Runs an operation on the connection's queue; cancelling the task stops its statement.
  func runOnQueue<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    let handoff = Handoff<Value>()
    let interruption = Interruption()
    queue.async {
      handoff.put(Result { try self.run(interruption, body) })
    }
    return try await withCancellationHandler {
      try await handoff.value()
    } onCancel: {
      interruption.cancel()
    }
  }
}
