public import Evocation
public import Foundation

/// The way in which a query expresses conditions, order and paging.
///
/// It is a table of operators and three functions. Take the nearest kind, and change what differs:
///
/// ```swift
/// format.filters = .suffixes  // year__gte=1980
/// format.filters.operators[.notEqual] = "ne"  // year__ne=1980
/// format.filters.order = .item("order")  // order=-year,name
/// format.filters.paging = .page(number: "page", size: "page_size")
/// ```
///
/// Evocation never leaves out a condition that a service cannot express. The call fails with
/// ``HTTPError/Code/unsupportedCriteria``, unless ``HTTPFormat/filtersHere`` lets Evocation apply it on
/// the device. If one of the functions throws, the caller receives the error. Evocation calls the
/// functions on any thread.
public struct HTTPFilters: Sendable {
  /// The service's names of its operators; an operator without a name is refused.
  public var operators: [Operator: String]

  /// The service's names of its operators for text by options; without a name, it is refused.
  ///
  /// The criteria's options are the key, so an operator is used for exactly what it does:
  ///
  /// ```swift
  /// format.filters.textOperators[.like] = [.contains: "unaccent__icontains"]
  /// ```
  ///
  /// Services have `equal`, `hasPrefix` and `contains` here, and most of them only without case. Which letters are the same in both cases is then the service's word.
  public var textOperators: [Criteria.CompareOptions: [Operator: String]] = [:]

  /// The function that writes the words of `Criteria.matching(_:)`; nil if the service finds no words.
  ///
  /// ```swift
  /// format.filters.matching = { [URLQueryItem(name: "q", value: $0)] }  // q=quick bro*
  /// ```
  ///
  /// The words are what the user typed. Throw an error for a form that the service does not have, such
  /// as a prefix.
  public var matching: (@Sendable (_ words: String) throws -> [URLQueryItem])?

  /// The function that writes conditions.
  public var filter: Filter

  /// The function that writes an order; nil if the service cannot sort.
  public var order: Ordering?

  /// The way to ask for a part of the list.
  public var paging: Paging

  /// How many models the service returns in one answer at most; nil, the default, if that is not known.
  ///
  /// Evocation asks for a longer list in parts of this length, by ``HTTPFormat/next``.
  public var largestPage: Int?

  /// The item that asks for the models after one with this id; nil if the service has none.
  public var after: String?

  /// Names of items that are not properties, besides those of order and paging.
  public var reserved: Set<String> = []

  /// The operators that the service has for each property; nil, the default, for all operators.
  ///
  /// Set it if the service ignores conditions that it does not know, as Django's filters do. Include
  /// the id's property.
  public var keys: [Criteria.Key: Set<Operator>]?

  /// The operators of ``textOperators`` that the service has for each property, if ``keys`` is set.
  ///
  /// A view of Django that has `contains` for a property may not have `icontains`, and ignores it.
  public var textKeys: [Criteria.Key: [Criteria.CompareOptions: Set<Operator>]] = [:]

  /// The properties by which the service can sort; nil, the default, for all.
  public var orders: Set<Criteria.Key>?

  /// Whether the service reads two items with one name; true by default.
  ///
  /// If it is false, several conditions on a property become one, or are refused if they cannot.
  public var repeatsItems = true

  /// Whether each order ends with the id, for services that do not define the order of equal models.
  public var ordersByIdentifier = false

  /// Whether a condition may compare with an empty text; false if the service ignores such a condition.
  public var hasEmptyTexts = true

  /// Whether the service leaves out blanks at the ends of the texts that it compares with; false by default.
  ///
  /// A condition on a text with such blanks is refused then.
  public var trimsTexts = false

  /// Whether the service compares and sorts ids as numbers, and models have them as texts; false by default.
  ///
  /// `<`, a prefix, an order by id and the like are refused then, because texts have another order.
  public var identifiersAreNumbers = false

  /// The service's handling of null in a negated condition.
  public var nulls = Nulls.values

  /// The text between the parts of a nested key in the name of a condition; a dot by default.
  public var separator = "."

  /// Whether a part of a key may be in a query; nil, the default, for the rule below.
  ///
  /// A part is not empty, does not begin with a minus sign, and contains neither the separator nor one
  /// of `[],=`.
  public var isName: (@Sendable (String) -> Bool)?

  /// Creates filters.
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

  /// Writes the conditions of one operator by a function, and leaves the others as they are.
  ///
  /// A group that contains a condition of this operator is refused.
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
  /// The comparison that a condition makes.
  public enum Operator: String, Sendable, Hashable, CaseIterable {
    /// Equal to the value; ``isNull`` for null.
    case equal
    /// Another value, or null.
    case notEqual
    /// Less than the value.
    case less
    /// Less than the value, or equal.
    case lessOrEqual
    /// Greater than the value.
    case greater
    /// Greater than the value, or equal.
    case greaterOrEqual
    /// One of several values.
    case isIn
    /// None of several values, or null.
    case isNotIn
    /// From one value to another; a service without this operator receives both bounds.
    case between
    /// No value.
    case isNull
    /// Any value.
    case isNotNull
    /// A text with this prefix.
    case hasPrefix
    /// A text that contains this text, or a list that contains this element.
    case contains
  }

  /// A service's handling of null in a negated condition.
  public enum Nulls: Sendable, Hashable {
    /// A negated condition holds for null if the condition does not, as in criteria.
    case values
    /// A condition on null is neither true nor false, as in SQL, so Evocation adds a condition on null.
    ///
    /// ``Operator/notEqual`` and ``Operator/isNotIn`` find null nevertheless.
    case unknown
    /// Null meets no condition, not even that it is another value, so Evocation adds one on null there too.
    case excluded
    /// The service has no null, so a value that is not less is greater or equal.
    case none
  }
}

extension HTTPFilters.Operator {
  /// The name of the operator in sentences.
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

  /// Returns the name of the operator with the options that it compares by.
  func word(_ options: Criteria.CompareOptions) -> String {
    switch options {
    case []: word
    case .caseInsensitive: "\(word) without case"
    case .diacriticInsensitive: "\(word) without accents"
    default: "\(word) without case and accents"
    }
  }

  /// Returns the operator that holds exactly if this one does not.
  ///
  /// Bounds have such an operator only if no value is null.
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
