/// Identifies one write, so that a service that gets it twice carries it out once.
///
/// Whoever sends the same write again, such as the outbox, sets it around the call; a remote
/// repository reads it and passes it on. Without one, a repository makes its own for each write.
///
/// ```swift
/// try await IdempotencyKey.$current.withValue(entry.key) { try await cars.storeOne(car) }
/// ```
public enum IdempotencyKey {
  /// The key of the write that is being made, or nil when none was given.
  @TaskLocal public static var current: String?
}
