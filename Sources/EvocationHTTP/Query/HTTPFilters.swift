/// How a service says conditions, order and paging in a query: a table.
///
/// Begin with the kind that is nearest, and change what differs:
///
/// ```swift
/// format.filters = .suffixes  // year__gte=1980
/// format.filters.operators[.notEqual] = "ne"  // year__ne=1980
/// format.filters.sort.name = "ordering"  // ordering=-year,name
/// format.filters.paging = .page(number: "page", size: "page_size")
/// ```
///
/// What a table does not have is not left out: the call fails with
/// ``HTTPError/Code/unsupportedCriteria``, or is done here where
/// ``HTTPFormat/filtersHere`` says so. For a language of a service's own there is
/// ``HTTPFormat/query``.
public struct HTTPFilters: Sendable, Hashable {
  /// The item of a condition, such as `"{key}__{op}={value}"`.
  ///
  /// `{key}` is the property as the service names it, `{op}` the name in ``operators``, `{value}`
  /// the value, and `{like}` the value with `\`, `%` and `_` after a backslash.
  public var pattern: String

  /// The names of the operators that the service has.
  public var operators: [Operator: String]

  /// Whole items of operators that differ from the pattern, such as `[.equal: "{key}={value}"]`.
  public var items: [Operator: String]

  /// How several values stand in one item.
  public var list: List

  /// How conditions are joined by *or* and turned round by *not*; nil, the default, for not at all.
  public var groups: Groups?

  /// How text stands in a condition.
  public var texts: Texts

  /// What joins the parts of a nested key; a dot by default.
  public var separator: String

  /// What stands before the last part of a nested key whose value is text, such as `->>`; nil, the
  /// default, for ``separator``.
  public var textSeparator: String?

  /// How an order is said.
  public var sort: Sort

  /// How a part of the list is asked for.
  public var paging: Paging

  /// How many models the service gives in one answer at most; nil, the default, where that is open.
  ///
  /// What is longer is asked for in parts of this length, by ``HTTPFormat/next``.
  public var largestPage: Int?

  /// The item that asks for what follows a model, by its id; nil where the service has none.
  public var after: String?

  /// Names of items that are no properties, besides those above; a key that is called so is refused.
  public var reserved: Set<String>

  /// Makes a table.
  public init(
    _ pattern: String, operators: [Operator: String], items: [Operator: String] = [:],
    list: List = .quoted, groups: Groups? = nil, texts: Texts = .plain, separator: String = ".",
    textSeparator: String? = nil, sort: Sort = Sort(), paging: Paging = .offset(),
    largestPage: Int? = nil, after: String? = nil, reserved: Set<String> = []
  ) {
    self.pattern = pattern
    self.operators = operators
    self.items = items
    self.list = list
    self.groups = groups
    self.texts = texts
    self.separator = separator
    self.textSeparator = textSeparator
    self.sort = sort
    self.paging = paging
    self.largestPage = largestPage
    self.after = after
    self.reserved = reserved
  }
}

extension HTTPFilters {
  /// What a condition asks of a property.
  public enum Operator: String, Sendable, Hashable, CaseIterable {
    /// The value itself; null is ``isNull``.
    case equal
    /// Another value, or null.
    case notEqual
    /// Before the value.
    case less
    /// Before the value, or the same.
    case lessOrEqual
    /// After the value.
    case greater
    /// After the value, or the same.
    case greaterOrEqual
    /// One of several values.
    case isIn
    /// From one value to another; without it both ends are asked for.
    case between
    /// No value.
    case isNull
    /// Any value.
    case isNotNull
    /// A text that begins so.
    case hasPrefix
    /// A text with this in it, or a list with this element.
    case contains
  }

  /// How several values stand in one item.
  public enum List: Sendable, Hashable {
    /// `1,2`, and a value with a comma, a quote or a line break in double quotes, as in CSV.
    case quoted
    /// With this between them, such as a comma; a value that has it in it cannot be said.
    case separated(String)
    /// `(1,2)`, and a value with a character that has a meaning in double quotes, after PostgREST.
    case parentheses
    /// An item for each of them: `year=1&year=2`.
    case repeated
  }

  /// How text stands in a condition.
  public enum Texts: Sendable, Hashable {
    /// As it is.
    case plain
    /// As it is, and never empty, because the service passes over a condition without a value.
    case filled
    /// As JSON has it, in double quotes, because `1970` without them is a number.
    case json
  }

  /// How conditions are grouped: `or=(year.lt.1970,and(year.gt.1980,origin.eq.Japan))`.
  public struct Groups: Sendable, Hashable {
    /// A condition within a group, such as `"{key}.{op}.{value}"`.
    public var item: String

    /// A condition that does not hold, such as `"{key}.not.{op}.{value}"`.
    public var negated: String

    /// The name of a group of which one has to hold.
    public var any: String

    /// The name of a group of which all have to hold.
    public var all: String

    /// Whether a condition on null is neither true nor false, as in SQL, so that null has to be
    /// named where a condition is turned round.
    public var isThreeValued: Bool

    /// Makes groups.
    public init(
      item: String, negated: String, any: String = "or", all: String = "and",
      isThreeValued: Bool = true
    ) {
      self.item = item
      self.negated = negated
      self.any = any
      self.all = all
      self.isThreeValued = isThreeValued
    }
  }

  /// How an order is said, in one item: `sort=-year,name`.
  public struct Sort: Sendable, Hashable {
    /// The item's name; nil where the service cannot sort.
    public var name: String?

    /// A key from the least value on.
    public var ascending: String

    /// A key from the greatest value on.
    public var descending: String

    /// How the id is said as the last key of every order, such as `{key}`, for services that leave
    /// the order of equals open; nil, the default, for not at all.
    public var identifier: String?

    /// Makes an order.
    public init(
      name: String? = "sort", ascending: String = "{key}", descending: String = "-{key}",
      identifier: String? = nil
    ) {
      self.name = name
      self.ascending = ascending
      self.descending = descending
      self.identifier = identifier
    }
  }

  /// How a part of a list is asked for.
  public enum Paging: Sendable, Hashable {
    /// By how many models, and how many to pass over.
    case offset(limit: String = "limit", offset: String = "offset")
    /// By the number of a page and its size; an offset then has to be whole pages.
    case page(number: String, size: String?, first: Int = 1)
    /// By the header field `Range`, such as `Range: 0-24`, or `Range: items=0-24` with a unit.
    case range(unit: String? = nil)
    /// By how many models alone.
    case limit(String)
  }
}
