/// What a write was made on: the model as the remote had it, and the service's version of that.
///
/// Code that knows it, such as an outbox, sets it around a call that writes one model. A remote
/// repository may then send only what differs, and have the service refuse the write where it has
/// another version by now.
///
/// ```swift
/// let base = WriteBase(model: entry.base, condition: .version(entry.version))
/// try await WriteBase.$current.withValue(base) { try await cars.updateOne(entry.model) }
/// ```
public struct WriteBase: Sendable {
  /// The model as the remote had it when the write was made; nil where that is not known.
  public var model: (any Sendable)?

  /// Which version the service is to have for the write to be carried out.
  public var condition: Condition

  /// Makes a base.
  ///
  /// - Parameters:
  ///   - model: The model as the remote had it; nil where that is not known.
  ///   - condition: Which version the service is to have.
  public init(model: (any Sendable)?, condition: Condition = .remembered) {
    self.model = model
    self.condition = condition
  }

  /// What the write under way was made on; nil where nobody says so.
  @TaskLocal public static var current: WriteBase?

  /// Which version the service is to have for a write to be carried out.
  public enum Condition: Sendable, Hashable {
    /// The one that the repository remembers, where it remembers any.
    case remembered
    /// This one, as ``Response/versions`` had it; nil for whatever the service has.
    case version(String?)
  }
}
