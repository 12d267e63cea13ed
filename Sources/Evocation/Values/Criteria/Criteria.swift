/// The models to find, their order, and how many of them.
///
/// A dictionary literal compares each key for equality, joined by *and*. Operators on
/// ``Criteria/Key`` can say more:
///
/// ```swift
/// let mine: Criteria = ["year": 2002, "owner": nil]
/// let recent = (Criteria.Key("year") >= 2000 && !Criteria.Key("model").hasPrefix("B"))
///   .sorted(by: "year", descending: true)
///   .limit(20)
/// ```
///
/// A key is the model's coding key, with dots for nested ones. The same criteria return the same
/// models in the same order from every repository. A repository that cannot execute them throws an
/// error.
///
/// - Without a sort, and among equal models, models come in the order of their ids. An id of
///   several properties is compared property by property, in the order of coding.
/// - Null comes before every other value, and last if the order is descending. Numbers compare by
///   their exact values, whatever their types. NaN equals itself and is greater than every other
///   number. A decimal and a floating-point number compare by their printed forms. Text and URLs
///   compare by their UTF-8 bytes, so that composed and decomposed accents differ, unless
///   ``CompareOptions`` say otherwise. UUIDs and data
///   compare by their bytes, dates by time, and `false` comes before `true`.
/// - The logic has two values. A comparison with null is false, except for `== nil` and `!= nil`.
///   `!=` with another value is true for null. `!` reverses every result.
/// - A value is converted to the type of its key: text to a UUID, a URL, a date (ISO 8601) or data
///   (base64), and 0 and 1 to Booleans. A value that cannot be converted is an error.
/// - Values nested in others compare in their JSON forms. Booleans and dates (seconds since the
///   reference date) are numbers. UUIDs (in capitals), URLs and data (base64) are text. Decimals
///   and whole numbers above `Int64` are the nearest `Double`. If the JSON has values of several
///   kinds, null comes before numbers, and numbers before text. A list or an object there equals
///   nothing, is not null, and is ordered like null.
///
/// `Criteria()` matches all models. A key that the model does not have is an error, never an empty
/// answer.
public struct Criteria: Sendable, Hashable, PlainlyPrinted, Codable, ExpressibleByDictionaryLiteral
{
  /// The condition that the models must satisfy; nil for all models.
  public var predicate: Predicate? {
    didSet {
      levels = predicate?.levels ?? 0
      keptTag = KeptTag(for: predicate)
    }
  }

  /// The keys to sort by, the most significant one first; ids decide among equal models.
  public var order: [Sort] {
    didSet { keptTag = keptTag.renewed }
  }

  /// The greatest number of models to return; nil for all.
  public var limit: Int? {
    didSet { keptTag = keptTag.renewed }
  }

  /// The number of models to skip first.
  public var offset: Int {
    didSet { keptTag = keptTag.renewed }
  }

  /// The position in the order after which the models begin; nil for the beginning.
  public var cursor: Cursor? {
    didSet { keptTag = keptTag.renewed }
  }

  /// The number of nested levels of joins, at most one more than allowed.
  private(set) var levels: Int

  /// The ``tag``, which long criteria make once.
  private(set) var keptTag: KeptTag

  /// Creates criteria that match all models.
  ///
  /// It exists because `Criteria()` could otherwise also mean an empty dictionary literal.
  public init() {
    self.init(nil, order: [])
  }

  /// Creates criteria from their parts.
  public init(
    _ predicate: Predicate? = nil,
    order: [Sort] = [],
    limit: Int? = nil,
    offset: Int = 0,
    cursor: Cursor? = nil
  ) {
    self.predicate = predicate
    self.order = order
    self.limit = limit
    self.offset = offset
    self.cursor = cursor
    levels = predicate?.levels ?? 0
    keptTag = KeptTag(for: predicate)
  }
}

extension Criteria {
  /// Whether the criteria match all models, in the order of their ids.
  package var isEverything: Bool {
    limit == nil && offset == 0 && order.isEmpty && predicate == nil && cursor == nil
  }
}

extension Criteria {
  /// Returns the same criteria, sorted by a further key, which decides among equal models.
  public func sorted(by key: Key, descending: Bool = false) -> Criteria {
    var result = self
    result.order.append(Sort(key, descending: descending))
    return result
  }

  /// Returns the same criteria for at most this many models; a negative number counts as zero.
  public func limit(_ count: Int) -> Criteria {
    var result = self
    result.limit = max(0, count)
    return result
  }

  /// Returns the same criteria without the first models; a negative number counts as zero.
  public func offset(_ count: Int) -> Criteria {
    var result = self
    result.offset = max(0, count)
    return result
  }

  /// Returns the same criteria for the models after the cursor; nil for all of them.
  public func after(_ cursor: Cursor?) -> Criteria {
    var result = self
    result.cursor = cursor
    return result
  }
}

extension Criteria {
  /// A key to sort models by.
  public struct Sort: Sendable, Hashable, Codable, PlainlyPrinted {
    /// The key.
    public var key: Key

    /// Whether the greatest value comes first, and null last.
    public var descending: Bool

    /// Creates a sort, by default from the least to the greatest value.
    public init(_ key: Key, descending: Bool = false) {
      self.key = key
      self.descending = descending
    }
  }
}

extension Criteria {
  /// A position in an order: the last model of a page, as its sorted values and its id.
  ///
  /// Unlike an offset, it stays the same when models before it are added or removed. It is
  /// `Codable`, so you can save it. ``Criteria/cursor(at:)`` creates one.
  public struct Cursor: Sendable, Hashable, Codable, PlainlyPrinted {
    /// The model's values for the keys of the order, the first one first.
    public let values: [Scalar]

    /// The model's id: one value, or several if the id consists of several properties.
    public let id: [Scalar]

    /// Creates a cursor from the values of the model at its position.
    public init(values: [Scalar], id: [Scalar]) {
      self.values = values
      self.id = id
    }
  }
}
