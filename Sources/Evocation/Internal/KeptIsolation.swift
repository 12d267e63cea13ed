// The standard library's functions leave the caller's actor for a body that does not name it, and
// come back after it: two thread hops for a caller on the main actor. These name it.

extension TaskLocal {
  /// Runs the body, where the caller runs, with a value.
  func binding<Result>(
    _ value: Value, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await withValue(value) {
      _ = isolation
      return try await body()
    }
  }
}

/// Runs the body, where the caller runs, with a handler for the case that its task is cancelled.
package func withCancellationHandler<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Result, onCancel handler: @Sendable () -> Void
) async rethrows -> Result {
  try await withTaskCancellationHandler {
    _ = isolation
    return try await body()
  } onCancel: {
    handler()
  }
}
