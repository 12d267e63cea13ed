/// `CancellationError` behind functions.
///
/// Its size is known to the system alone, so an async function that names it asks for its type and
/// for room each time it runs, whether it needs one or not.
enum Cancellation {
  @inline(never)
  static func error() -> any Error {
    CancellationError()
  }

  /// Throws when the task was cancelled.
  static func check() throws {
    if Task.isCancelled { throw error() }
  }

  @inline(never)
  static func isCause(of error: any Error) -> Bool {
    error is CancellationError
  }
}
