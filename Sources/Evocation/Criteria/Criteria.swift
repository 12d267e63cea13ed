/// Which models are asked for, in which order, and how many of them.
///
/// A dictionary literal is equality on each key, joined by *and*. Operators on ``Criteria/Key``
/// say more:
///
/// ```swift
/// let mine: Criteria = ["year": 2002, "owner": nil]
/// let recent = (Criteria.Key("year") >= 2000 && !Criteria.Key("model").hasPrefix("B"))
///   .sorted(by: "year", descending: true)
///   .limit(20)
/// ```
///
/// A key names the model's coding key, with dots for nested ones. The same criteria give the same
/// models in the same order from every repository, or an error from one that cannot say them:
///
/// - Without a sort, and among equals, models come in the order of their ids. An id of several
///   properties is compared by one after the other, in the order of coding.
/// - Null comes before everything, and last when descending. Numbers compare by exact value,
///   whatever their types; NaN equals itself and is greater than every other number. A decimal and
///   a floating-point number compare as they print. Text and URLs compare by their UTF-8 bytes,
///   so that an accent composed and decomposed differ; UUIDs and data by their bytes, dates by
///   time, `false` before `true`.
/// - The logic has two values: a comparison with null is false, apart from `== nil` and `!= nil`;
///   `!=` another value is true of null; `!` turns every answer round.
/// - A value takes the type that its key holds: text becomes a UUID, a URL, a date (ISO 8601) or
///   data (base64), and 0 and 1 become Booleans. What cannot is an error.
/// - Values nested in others compare as JSON has them: Booleans and dates (seconds since the
///   reference date) are numbers, UUIDs (in capitals), URLs and data (base64) are text, decimals
///   and whole numbers above `Int64` the nearest `Double`. Where JSON holds values of several
///   kinds, null comes before numbers, and numbers before text. A list or an object there equals
///   nothing, is not null, and is ordered as if it were.
///
/// `Criteria()` is everything. A key that the model does not have is an error, never an empty answer.
public struct Criteria: Sendable, Hashable {
  /// What the models must satisfy; nil for everything.
  public var predicate: Predicate? {
    didSet { levels = predicate?.levels ?? 0 }
  }

  /// By which keys the models are ordered, the first one first; ids decide among equals.
  public var order: [Sort]

  /// How many models are wanted at most; nil for all.
  public var limit: Int?

  /// How many models are skipped first.
  public var offset: Int

  /// The place in the order after which the models are wanted; nil for the beginning.
  public var cursor: Cursor?

  /// How many levels of joins the predicate has, at most one more than there may be.
  private(set) var levels: Int

  /// Makes criteria for everything.
  ///
  /// It stands here because `Criteria()` could as well mean an empty dictionary literal.
  public init() {
    self.init(nil, order: [])
  }

  /// Makes criteria from their parts.
  public init(
    _ predicate: Predicate? = nil,
    order: [Sort] = [],
    limit: Int? = nil,
    offset: Int = 0,
    cursor: Cursor? = nil
  ) {
    self.init(
      predicate, levels: predicate?.levels ?? 0, order: order, limit: limit, offset: offset,
      cursor: cursor
    )
  }

  /// Makes criteria of a predicate whose levels are known.
  init(
    _ predicate: Predicate?, levels: Int, order: [Sort], limit: Int?, offset: Int, cursor: Cursor?
  ) {
    self.predicate = predicate
    self.order = order
    self.limit = limit
    self.offset = offset
    self.cursor = cursor
    self.levels = levels
  }
}

extension Criteria {
  /// Whether it asks for all models, in the order of their ids.
  var isEverything: Bool {
    limit == nil && offset == 0 && order.isEmpty && predicate == nil && cursor == nil
  }
}

extension Criteria {
  /// The same criteria, ordered by a key; called again, by the next key among equals.
  public func sorted(by key: Key, descending: Bool = false) -> Criteria {
    var result = self
    result.order.append(Sort(key, descending: descending))
    return result
  }

  /// The same criteria with at most this many models; a negative number counts as none.
  public func limit(_ count: Int) -> Criteria {
    var result = self
    result.limit = max(0, count)
    return result
  }

  /// The same criteria without the first models; a negative number counts as none.
  public func offset(_ count: Int) -> Criteria {
    var result = self
    result.offset = max(0, count)
    return result
  }

  /// The same criteria from the place behind the cursor on.
  public func after(_ cursor: Cursor?) -> Criteria {
    var result = self
    result.cursor = cursor
    return result
  }
}

extension Criteria {
  /// One key that models are ordered by.
  public struct Sort: Sendable, Hashable, Codable {
    /// The key.
    public var key: Key

    /// Whether the greatest comes first, and null last.
    public var descending: Bool

    /// Makes a sort, from the least to the greatest by default.
    public init(_ key: Key, descending: Bool = false) {
      self.key = key
      self.descending = descending
    }
  }
}

extension Criteria {
  /// A place in an order: the last model of a page, by its sorted values and its id.
  ///
  /// Unlike an offset it stays where it was when models before it come or go. It is `Codable`, so
  /// it can be kept. Make one with ``Criteria/cursor(at:)``.
  public struct Cursor: Sendable, Hashable, Codable {
    /// The model's values for the keys of the order, the first one first.
    public let values: [Scalar]

    /// The model's id: one value, or several when the id is made of several properties.
    public let id: [Scalar]

    /// Makes a cursor from the values of the model that it stands at.
    public init(values: [Scalar], id: [Scalar]) {
      self.values = values
      self.id = id
    }
  }
}
