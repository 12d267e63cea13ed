/// Creates and recognizes `CancellationError` in functions that are not inlined.
///
/// The compiler does not know its size. An async function that names it therefore looks up its type
/// and allocates room for it each time the function runs, even if it does not throw it.
package enum Cancellation {
  @inline(never)
  package static func error() -> any Error {
    CancellationError()
  }

  /// Throws if the task is canceled.
  package static func check() throws {
    if Task.isCancelled { throw error() }
  }

  @inline(never)
  package static func isCause(of error: any Error) -> Bool {
    error is CancellationError
  }
}

// The standard library's functions leave the caller's actor for a body that does not refer to it,
// and return after it: two thread hops for a caller on the main actor. The bodies here refer to it.

extension TaskLocal {
  /// Runs the body with a value, on the caller's actor.
  @inlinable
  package func binding<Result>(
    _ value: Value, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await withValue(value) {
      _ = isolation
      return try await body()
    }
  }
}

/// Runs the body on the caller's actor, with a handler that is called when the task is canceled.
@inlinable
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
