public import Foundation

extension HTTPFilters {
  /// A function from conditions to query items.
  public struct Filter: Sendable {
    /// A function from one condition to the items that express it.
    public typealias Items = @Sendable (Condition) throws -> [URLQueryItem]

    let items: @Sendable (Conditions) throws -> [URLQueryItem]

    /// Creates a filter from a function of all conditions.
    public init(_ items: @escaping @Sendable (Conditions) throws -> [URLQueryItem]) {
      self.items = items
    }

    /// Returns a filter of separate items for each condition, for services without "or" and "not".
    public static func items(_ items: @escaping Items) -> Filter {
      Filter { try $0.alone.flatMap(items) }
    }

    /// Returns a filter with operators in brackets, such as `year[gte]=1980`.
    ///
    /// With a root and nested brackets it is `filter[owner][city][_eq]=Kyoto`. An operator with an
    /// empty name has no brackets: `year=1980`. The values for null are `true` and `false`. The values
    /// of a list have commas between them. A value with a comma, a quote or a line break is in double
    /// quotes, as in CSV.
    ///
    /// - Parameters:
    ///   - root: The name before the first brackets, such as `filter`; nil for the property's name.
    ///   - isNested: Whether each part of a nested key has separate brackets.
    /// - Returns: The filter.
    public static func brackets(in root: String? = nil, isNested: Bool = false) -> Filter {
      .named(list: { $0.texts.map(asInCSV).joined(separator: ",") }) { condition in
        let parts = (root.map { [$0] } ?? []) + (isNested ? condition.path : [condition.name])
        let inner = parts.dropFirst() + (condition.word.isEmpty ? [] : [condition.word])
        return (parts.first ?? "") + inner.map { "[\($0)]" }.joined()
      }
    }

    /// Returns a filter with one item for each condition, whose name a function writes.
    ///
    /// The values for null are `true` and `false`:
    ///
    /// ```swift
    /// format.filters.filter = .named { "filter[\($0.name).\($0.word)]" }  // filter[year.gte]=1980
    /// ```
    ///
    /// - Parameters:
    ///   - list: Returns the value of a condition with several; nil, the default, for the values with
    ///     commas between them, of which none has a comma itself.
    ///   - name: Returns the name of the item of a condition.
    /// - Returns: The filter.
    public static func named(
      list: (@Sendable (Condition) throws -> String)? = nil,
      _ name: @escaping @Sendable (Condition) -> String
    ) -> Filter {
      .items { condition in
        let value =
          switch condition.operation {
          case .isNull: "true"
          case .isNotNull: "false"
          case .isIn, .isNotIn, .between: try list?(condition) ?? condition.joined(condition.texts)
          case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .hasPrefix,
            .contains:
            condition.text
          }
        return [URLQueryItem(name: name(condition), value: value)]
      }
    }

    /// Returns a filter of one expression with operators between conditions: `filter=year>1&&(a||b)`.
    ///
    /// ```swift
    /// format.filters.filter = .expression("q", all: " AND ", any: " OR ") { condition in
    ///   let literals = condition.texts.map { "\"\($0)\"" }
    ///   return try condition.text(literals, all: " AND ", any: " OR ")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - item: The item's name.
    ///   - all: The text between conditions that must all hold.
    ///   - any: The text between conditions of which one must hold.
    ///   - not: The text before a negated condition in parentheses; nil if the service has none.
    ///   - condition: Returns the text of one condition, quoted as the service expects it.
    /// - Returns: The filter.
    public static func expression(
      _ item: String, all: String, any: String, not: String? = nil,
      condition: @escaping @Sendable (Condition) throws -> String
    ) -> Filter {
      .expression(item, condition: condition) { join, parts in
        switch join {
        case .all: return "(" + parts.joined(separator: all) + ")"
        case .any: return "(" + parts.joined(separator: any) + ")"
        case .not:
          guard let not else { throw HTTPError.unsupported("it has no \"not\"") }
          return "\(not)(\(parts.joined()))"
        }
      }
    }

    /// Returns a filter of one expression that a function joins: `formula=AND({A}>1,NOT({B}=2))`.
    ///
    /// - Parameters:
    ///   - item: The item's name.
    ///   - condition: Returns the text of one condition, quoted as the service expects it.
    ///   - joining: Returns the text of joined parts; a negation has one part.
    /// - Returns: The filter.
    public static func expression(
      _ item: String, condition: @escaping @Sendable (Condition) throws -> String,
      joining: @escaping @Sendable (Join, [String]) throws -> String
    ) -> Filter {
      @Sendable func text(_ predicate: Conditions) throws -> String {
        switch predicate {
        case .condition(let one): try condition(one)
        case .not(let one): try joining(.not, [condition(one)])
        case .all(let parts): try joining(.all, parts.map(text))
        case .any(let parts): try joining(.any, parts.map(text))
        }
      }
      return Filter { [URLQueryItem(name: item, value: try text($0))] }
    }
  }

  /// The way in which the parts of an expression are joined.
  public enum Join: Sendable, Hashable {
    /// All parts must hold.
    case all
    /// One part must hold.
    case any
    /// The part must not hold.
    case not
  }

  /// A function from the keys of an order to query items; there is at least one key.
  public struct Ordering: Sendable {
    let items: @Sendable ([Order]) throws -> [URLQueryItem]

    /// Creates an ordering from a function.
    public init(_ items: @escaping @Sendable ([Order]) throws -> [URLQueryItem]) {
      self.items = items
    }

    /// Returns an ordering with all keys in one item, and text before or behind a key: `sort=-year,name`.
    ///
    /// An id that Evocation adds to order equal models has no such text.
    public static func item(
      _ name: String, descending: (before: String, behind: String) = ("-", ""),
      ascending: (before: String, behind: String) = ("", "")
    ) -> Ordering {
      Ordering { orders in
        let keys = orders.map { order in
          let (before, behind) =
            order.isAdded ? ("", "") : order.descending ? descending : ascending
          return before + order.name + behind
        }
        return [URLQueryItem(name: name, value: keys.joined(separator: ","))]
      }
    }

    /// Returns an ordering by one key alone, whose item names the direction: `_sort_desc=year`.
    public static func single(ascending: String, descending: String) -> Ordering {
      Ordering { orders in
        guard let order = orders.first, orders.count == 1 else {
          throw HTTPError.unsupported("it sorts by one key alone")
        }
        return [URLQueryItem(name: order.descending ? descending : ascending, value: order.name)]
      }
    }
  }

  /// The way to ask for a part of a list.
  public enum Paging: Sendable {
    /// By the number of models, and the number of models to skip.
    case offset(limit: String = "limit", offset: String = "offset")
    /// By the number of a page and its size; an offset must then be a multiple of the size.
    case page(number: String, size: String?, first: Int = 1)
    /// By the header field `Range`: `Range: 0-24`, or `Range: items=0-24` with a unit.
    case range(unit: String? = nil)
    /// By the number of models only.
    case limit(String)
    /// By a function of the number of models, nil for all, and the number of models to skip.
    case items(@Sendable (_ limit: Int?, _ offset: Int) throws -> [URLQueryItem])
  }
}

extension HTTPFilters.Conditions {
  /// The conditions that must hold together; throws if there are groups or negations.
  var alone: [HTTPFilters.Condition] {
    get throws {
      try conjuncts.map { part in
        switch part {
        case .condition(let condition): return condition
        case .not: throw HTTPError.unsupported("it has no \"not\"")
        case .all, .any: throw HTTPError.unsupported("it has no \"or\"")
        }
      }
    }
  }
}

private func asInCSV(_ text: String) -> String {
  guard text.isEmpty || text.has(anyOf: ",\"\r\n") else { return text }
  return "\"" + text.escaping("\"") { "\($0)\($0)" } + "\""
}
