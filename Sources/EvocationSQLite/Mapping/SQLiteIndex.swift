public import Evocation

/// An index of a table, over one property or several.
///
/// ```swift
/// let vin = SQLiteIndex("vin", isUnique: true)
/// let indexed = try SQLiteRepository<Car>(database, indexes: ["year", vin])
/// ```
///
/// Comparisons, ranges, `in`, `hasPrefix`, orders and cursors of criteria use it, as far as they
/// begin with its first keys. It is called like the table, with the keys in parentheses:
/// `car(year,name)`.
///
/// ## Changes
///
/// An index whose declaration changed, by becoming unique for one, is made again together with the
/// repository. One that is not declared any more is left alone, because another repository or process
/// may rely on it; drop it in a ``SQLiteMigration``: `DROP INDEX IF EXISTS "car(year,name)"`.
public struct SQLiteIndex: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The coding keys, with dots for what is nested, the first one first.
  public let keys: [Criteria.Key]

  /// Whether no two models may have the same values; models without a value do not count.
  public let isUnique: Bool

  /// Makes an index over the keys, in their order.
  public init(_ keys: Criteria.Key..., isUnique: Bool = false) {
    self.init(keys: keys, isUnique: isUnique)
  }

  /// Makes an index over one key.
  public init(stringLiteral value: String) {
    self.init(Criteria.Key(value))
  }

  /// A constraint: no two models may have the same values under all of these keys.
  ///
  /// A write that would break it throws ``SQLiteError`` with the code `constraint`, which names the
  /// table and its columns, and nothing of that call is written. Models without a value under one
  /// of the keys do not count.
  public static func unique(_ keys: Criteria.Key...) -> SQLiteIndex {
    SQLiteIndex(keys: keys, isUnique: true)
  }

  private init(keys: [Criteria.Key], isUnique: Bool) {
    self.keys = keys
    self.isUnique = isUnique
  }
}
