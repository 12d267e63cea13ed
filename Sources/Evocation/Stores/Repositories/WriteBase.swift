/// The base of a write: the model as the server had it, and the server's version of it.
///
/// Code that knows it, such as an outbox, sets it around a call that writes one model. A remote
/// repository may then send only the differences, and have the server refuse the write if it has
/// another version by now.
///
/// ```swift
/// let base = WriteBase(model: entry.base, condition: .version(entry.version))
/// try await WriteBase.$current.withValue(base) { try await cars.updateOne(entry.model) }
/// ```
public struct WriteBase: Sendable, PlainlyPrinted {
  /// The model as the server had it when the write was made; nil if that is not known.
  public var model: (any Sendable)?

  /// The version that the server must have to execute the write.
  public var condition: Condition

  /// Creates a base.
  ///
  /// - Parameters:
  ///   - model: The model as the server had it; nil if that is not known.
  ///   - condition: The version that the server must have.
  public init(model: (any Sendable)?, condition: Condition = .remembered) {
    self.model = model
    self.condition = condition
  }

  /// The base of the write in the present task; nil if no code has set one.
  @TaskLocal public static var current: WriteBase?

  /// The model that the present task writes, as the local store had it before; nil if it did not.
  ///
  /// The server may have another state. What had a value there and has none now was cleared.
  @TaskLocal package static var former: (any Sendable)?

  /// The version that the server must have to execute a write.
  public enum Condition: Sendable, Hashable, PlainlyPrinted {
    /// The version that the repository remembers, if it remembers any.
    case remembered
    /// This version, as it was in ``Response/versions``; nil for any version.
    case version(String?)
  }
}
