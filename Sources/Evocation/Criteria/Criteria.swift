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
/// models in the same order from every repository:
///
/// - Without a sort, and among equals, models come in the order of their ids.
/// - Null comes before everything. Numbers compare by value, whatever their types; NaN equals
///   itself and is greater than every other number. Text compares by its UTF-8 bytes, dates by
///   time, `false` before `true`.
/// - A comparison with null is false, apart from `== nil` and `!= nil`; `!` turns every answer round.
///
/// `Criteria()` is everything. A key that the model does not have is an error, never an empty answer.
public struct Criteria: Sendable, Hashable {
  /// What the models must satisfy; nil for everything.
  public var predicate: Predicate?

  /// By which keys the models are ordered, the first one first; ids decide among equals.
  public var order: [Sort]

  /// How many models are wanted at most; nil for all.
  public var limit: Int?

  /// How many models are skipped first.
  public var offset: Int

  /// The place in the order after which the models are wanted; nil for the beginning.
  public var cursor: Cursor?

  /// Makes criteria for everything.
  public init() {
    self.init(nil)
  }

  /// Makes criteria from their parts.
  public init(
    _ predicate: Predicate?,
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
  }
}
