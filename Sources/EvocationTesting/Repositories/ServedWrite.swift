public import Evocation

/// A write of one model, as it arrived at an ``IdempotentService``.
///
/// It prints as the kind, the id and the outcome: `store 1 acted`, `repeated` or `refused`.
public struct ServedWrite<ID: Sendable>: Sendable, CustomStringConvertible {
  enum Effect: String, Sendable {
    case acted
    case repeated
    case refused
  }

  /// The key of the write; nil for none.
  public let key: String?
  /// The kind of the write.
  public let kind: Outbox.EntryKind
  /// The id of the model.
  public let id: ID
  let effect: Effect

  /// The kind, the id and the outcome.
  public var description: String { "\(kind.rawValue) \(id) \(effect.rawValue)" }
}
