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
/// ## Without case and accents
///
/// A folded index serves `equals` and `hasPrefix` with the options `.like`. With `isUnique` it
/// refuses a second text that differs in case or accents alone:
///
/// ```swift
/// let name = SQLiteIndex(\Customer.name, folded: true)
/// let mail = SQLiteIndex(\Customer.mail, isUnique: true, folded: true)
/// ```
///
/// It is over Evocation's function `evocation_fold`, so other programs can read the table, and not
/// write it. It has the fold of the system that wrote a row: after an update of the system that
/// changed Unicode, run `REINDEX` in a migration if your texts have its new letters.
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

  /// Whether it has text without case and accents, for criteria with the options `.like`.
  public let folded: Bool

  /// Whether it has the words of texts, for criteria with `matching`.
  public let isFullText: Bool

  /// Creates an index over the keys, in their order.
  ///
  /// A folded index has the text under its keys without case and accents, and other values as they
  /// are.
  public init(_ keys: Criteria.Key..., isUnique: Bool = false, folded: Bool = false) {
    self.init(keys: keys, isUnique: isUnique, folded: folded)
  }

  /// Creates an index over the properties, in their order.
  ///
  /// ```swift
  /// let index = SQLiteIndex(\Customer.city, \.name, folded: true)
  /// ```
  public init<Model>(
    _ paths: PartialKeyPath<Model>..., isUnique: Bool = false, folded: Bool = false
  ) {
    self.init(keys: paths.map { Criteria.Key($0) }, isUnique: isUnique, folded: folded)
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

  /// Returns the full-text index of a table, which finds words in the text under these keys.
  ///
  /// It serves `Criteria.matching(_:)`. A table has one. It follows every change of the table, also by
  /// your own SQL.
  public static func fullText(_ keys: Criteria.Key...) -> SQLiteIndex {
    SQLiteIndex(keys: keys, isFullText: true)
  }

  /// Returns the full-text index of a table, which finds words in these properties.
  ///
  /// ```swift
  /// let words = SQLiteIndex.fullText(\Article.title, \.body)
  /// ```
  public static func fullText<Model>(_ paths: PartialKeyPath<Model>...) -> SQLiteIndex {
    SQLiteIndex(keys: paths.map { Criteria.Key($0) }, isFullText: true)
  }

  private init(
    keys: [Criteria.Key], isUnique: Bool = false, folded: Bool = false, isFullText: Bool = false
  ) {
    self.keys = keys
    self.isUnique = isUnique
    self.folded = folded
    self.isFullText = isFullText
  }
}
