extension Strategy {
  /// How the counterpart of the target is kept in step; `true` is ``upsert`` and `false` is ``off``.
  public enum Synchronization: String, Sendable, Hashable, CaseIterable {
    /// The counterpart is left alone.
    case off
    /// The counterpart stores or updates what the target answered, or removes what it removed.
    case upsert
    /// As ``upsert``, and what local has for the criteria of a read that remote did not answer is
    /// removed.
    case mirror
    /// A write is kept in a durable queue until the remote has it.
    case outbox
  }
}

extension Strategy.Synchronization: ExpressibleByBooleanLiteral {
  /// Makes ``upsert`` of `true` and ``off`` of `false`.
  public init(booleanLiteral value: Bool) {
    self = value ? .upsert : .off
  }
}
