/// By what a service tells a write that it has seen before from a new one.
///
/// Whoever sends the same write again, such as the outbox, sets it around the call; a remote
/// repository reads it and passes it on. Without one, a repository makes its own for each write.
///
/// ```swift
/// try await IdempotencyKey.$current.withValue(entry.key) { try await cars.storeOne(car) }
/// ```
public enum IdempotencyKey {
  /// The key of the write that is being made, or nil when nobody gave one.
  @TaskLocal public static var current: String?
}
