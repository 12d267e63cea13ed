/// Identifies one write, so that a service that receives it twice carries it out once.
///
/// Code that sends the same write again, such as an outbox, sets the key around the call; a remote
/// repository passes it on to the service. Without one, a repository makes a key for each write.
///
/// ```swift
/// try await IdempotencyKey.$current.withValue(entry.key) { try await cars.storeOne(car) }
/// ```
public enum IdempotencyKey {
  /// The key of the present write, or nil when none was given.
  @TaskLocal public static var current: String?
}
