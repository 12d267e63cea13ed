/// What the remote is believed to have of the model that is being written.
///
/// Code that knows it, such as an outbox, sets it around the call; a remote repository may then send
/// only what differs.
///
/// ```swift
/// try await WriteBase.$current.withValue(entry.base) { try await cars.updateOne(entry.model) }
/// ```
public enum WriteBase {
  /// The model as the remote is believed to have it, or nil where that is not known.
  @TaskLocal public static var current: (any Sendable)?
}
