public import Evocation

/// An index that a table shall have, over one property or several.
///
/// ```swift
/// let vin = SQLiteIndex("vin", isUnique: true)
/// let indexed = try SQLiteRepository<Car>(database, indexes: ["year", vin])
/// ```
public struct SQLiteIndex: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The coding keys, with dots for what is nested, the first one first.
  public let keys: [Criteria.Key]

  /// Whether no two models may have the same values; models without a value do not count.
  public let isUnique: Bool

  /// Makes an index over the keys, in their order.
  public init(_ keys: Criteria.Key..., isUnique: Bool = false) {
    self.keys = keys
    self.isUnique = isUnique
  }

  /// Makes an index over one key.
  public init(stringLiteral value: String) {
    self.init(Criteria.Key(value))
  }
}
