public import Evocation

/// An index of a table, over one or more properties.
///
/// ```swift
/// let vin = SQLiteIndex("vin", isUnique: true)
/// let indexed = try SQLiteRepository<Car>(database, indexes: ["year", vin])
/// ```
///
/// Comparisons, ranges, `in`, `hasPrefix`, orders and cursors of criteria use an index as far as
/// they start with its first keys. An index is named after the table, with its keys in parentheses:
/// `car(year,name)`.
///
/// ## Changes
///
/// When you create the repository, Evocation rebuilds an index whose declaration changed, for
/// example if it became unique. It keeps an undeclared index, because another repository or process
/// may need it. Drop it in a ``SQLiteMigration``: `DROP INDEX IF EXISTS "car(year,name)"`.
public struct SQLiteIndex: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The coding keys in their order, with dots for nested properties.
  public let keys: [Criteria.Key]

  /// Whether no two models may have the same values.
  ///
  /// Models without a value never conflict.
  public let isUnique: Bool

  /// Creates an index over the keys, in their order.
  public init(_ keys: Criteria.Key..., isUnique: Bool = false) {
    self.init(keys: keys, isUnique: isUnique)
  }

  /// Creates an index over one key.
  public init(stringLiteral value: String) {
    self.init(Criteria.Key(value))
  }

  /// Returns a constraint: no two models may have the same values under all of these keys.
  ///
  /// A write that violates it throws ``SQLiteError`` with the code `constraint`, and writes nothing
  /// of the call. The error names the table and its columns. A model without a value under one of
  /// the keys never conflicts.
  public static func unique(_ keys: Criteria.Key...) -> SQLiteIndex {
    SQLiteIndex(keys: keys, isUnique: true)
  }

  private init(keys: [Criteria.Key], isUnique: Bool) {
    self.keys = keys
    self.isUnique = isUnique
  }
}
