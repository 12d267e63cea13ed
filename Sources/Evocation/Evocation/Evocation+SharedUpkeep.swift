public import Foundation

// What concerns all models, through `shared`.
extension Evocation {
  /// Does everything that is due, through ``shared``, and returns by the deadline.
  @discardableResult
  public static func catchUp(deadline: Duration, progress: Progress? = nil) async -> CatchUp {
    await shared.catchUp(deadline: deadline, progress: progress)
  }

  /// Removes everything that Evocation has stored for the user, through ``shared``.
  public static func signOut(_ unsent: Outbox.UnsentWrites) async throws {
    try await shared.signOut(unsent)
  }

  /// Executes several writes as one, through ``shared``.
  public static func together(
    _ writes: @escaping @Sendable (Together) async throws -> Void
  ) async throws -> Outbox.Delivery {
    try await shared.together(writes)
  }
}
