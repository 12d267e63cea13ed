public import Evocation

/// How a service says conditions, order and paging in a query: a table of words and three functions.
///
/// Begin with the kind that is nearest, and change what differs:
///
/// ```swift
/// format.filters = .suffixes  // year__gte=1980
/// format.filters.operators[.notEqual] = "ne"  // year__ne=1980
/// format.filters.order = .item("order")  // order=-year,name
/// format.filters.paging = .page(number: "page", size: "page_size")
/// ```
///
/// What a service cannot say is not left out: the call fails with
/// ``HTTPError/Code/unsupportedCriteria``, or is done here where
/// ``HTTPFormat/filtersHere`` says so. An error that one of the functions throws reaches the
/// caller. The functions are called on any thread.
public struct HTTPFilters: Sendable {
  /// The service's words for the operators that it has; an operator without one is refused.
  public var operators: [Operator: String]

  /// What conditions become.
  public var filter: Filter

  /// What an order becomes; nil where the service cannot sort.
  public var order: Ordering?

  /// How a part of the list is asked for.
  public var paging: Paging

  /// How many models the service gives in one answer at most; nil, the default, where that is open.
  ///
  /// What is longer is asked for in parts of this length, by ``HTTPFormat/next``.
  public var largestPage: Int?

  /// The item that asks for what follows a model, by its id; nil where the service has none.
  public var after: String?

  /// Names of items that are no properties, besides those of order and paging.
  public var reserved: Set<String> = []

  /// The operators that each property can be compared by; nil, the default, for all by all.
  ///
  /// Say it where the service passes over conditions that it does not know, as Django's filters do.
  /// The id's property belongs to it too.
  public var keys: [Criteria.Key: Set<Operator>]?

  /// The properties that the service can sort by; nil, the default, for all.
  public var orders: Set<Criteria.Key>?

  /// Whether an item may be named twice, and both count; true by default.
  ///
  /// Where it is false, several conditions on a property become one, and what cannot is refused.
  public var repeatsItems = true

  /// Whether each order ends with the id, for services that leave the order of equals open.
  public var ordersByIdentifier = false

  /// Whether a text may be empty in a condition; false where the service passes over those.
  public var hasEmptyTexts = true

  /// What the service makes of null in a condition that does not hold.
  public var nulls = Nulls.values

  /// What joins the parts of a nested key in the name of a condition; a dot by default.
  public var separator = "."

  /// Whether a part of a key can stand in a query; nil, the default, for a part that is not empty,
  /// begins with no minus sign, and has neither the separator nor one of `[],=` in it.
  public var isName: (@Sendable (String) -> Bool)?

  /// Makes filters.
  public init(
    _ operators: [Operator: String], filter: Filter, order: Ordering? = .item("sort"),
    paging: Paging = .offset(), largestPage: Int? = nil, after: String? = nil
  ) {
    self.operators = operators
    self.filter = filter
    self.order = order
    self.paging = paging
    self.largestPage = largestPage
    self.after = after
  }

  /// Writes an operator's condition in a way of its own, where the rest stays as it is.
  ///
  /// ```swift
  /// format.filters.write(.isIn) { condition in  // year=1970&year=1982
  ///   condition.texts.map { URLQueryItem(name: condition.name, value: $0) }
  /// }
  /// ```
  public mutating func write(_ operation: Operator, _ items: @escaping Filter.Items) {
    operators[operation] = operators[operation] ?? operation.rawValue
    let rest = filter
    filter = Filter { predicate in
      var (own, others): ([Condition], [Conditions]) = ([], [])
      for part in predicate.conjuncts {
        if case .condition(let condition) = part, condition.operation == operation {
          own.append(condition)
        } else if part.conditions.contains(where: { $0.operation == operation }) {
          throw HTTPError.unsupported("its groups have no \"\(operation.word)\"")
        } else {
          others.append(part)
        }
      }
      return try own.flatMap(items) + (others.isEmpty ? [] : rest.items(.all(others)))
    }
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
    /// None of several values, or null.
    case isNotIn
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

  /// What a service makes of null in a condition that is turned round.
  public enum Nulls: Sendable, Hashable {
    /// What does not hold for null does when it is turned round, as in criteria.
    case values
    /// A condition on null is neither true nor false, as in SQL, so that null is named beside it.
    case unknown
    /// It has no null, so that what is not less is greater or equal.
    case none
  }
}

extension HTTPFilters.Operator {
  /// How sentences name it.
  var word: String {
    switch self {
    case .equal: "="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .isIn: "in"
    case .isNotIn: "not in"
    case .between: "between"
    case .isNull: "null"
    case .isNotNull: "not null"
    case .hasPrefix: "prefix"
    case .contains: "contains"
    }
  }

  /// The operator that holds exactly where this one does not; the bounds have it where no value is
  /// null.
  func opposite(withoutNull: Bool) -> Self? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .isIn: .isNotIn
    case .isNotIn: .isIn
    case .isNull: .isNotNull
    case .isNotNull: .isNull
    case .less: withoutNull ? .greaterOrEqual : nil
    case .lessOrEqual: withoutNull ? .greater : nil
    case .greater: withoutNull ? .lessOrEqual : nil
    case .greaterOrEqual: withoutNull ? .less : nil
    case .between, .hasPrefix, .contains: nil
    }
  }
}

extension HTTPError {
  static func unsupported(_ reason: String) -> HTTPError {
    HTTPError(.unsupportedCriteria, reason: reason)
  }
}
