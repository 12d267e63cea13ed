/// Identifies one write, so that a server that receives it twice executes it once.
///
/// Code that may send the same write again, such as an outbox, sets the key around the call. A
/// remote repository passes it to the server. If none is set, the repository makes a new key for
/// each write.
///
/// ```swift
/// try await IdempotencyKey.$current.withValue(entry.key) { try await cars.storeOne(car) }
/// ```
public enum IdempotencyKey {
  /// The key of the write in the present task, or nil if no code has set one.
  @TaskLocal public static var current: String?
}
