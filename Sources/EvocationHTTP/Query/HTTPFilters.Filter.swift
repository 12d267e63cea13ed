public import Foundation

extension HTTPFilters {
  /// What conditions become: a function from a predicate to query items.
  public struct Filter: Sendable {
    /// A function from one condition to the items that say it.
    public typealias Items = @Sendable (Condition) throws -> [URLQueryItem]

    let items: @Sendable (Conditions) throws -> [URLQueryItem]

    /// Makes a filter of a function of the whole predicate.
    public init(_ items: @escaping @Sendable (Conditions) throws -> [URLQueryItem]) {
      self.items = items
    }

    /// One condition after the other, where the service has no *or* and no *not*.
    public static func items(_ items: @escaping Items) -> Filter {
      Filter { try $0.alone.flatMap(items) }
    }

    /// Operators in brackets: `year[gte]=1980`, or `filter[owner][city][_eq]=Kyoto`.
    ///
    /// An operator with an empty word has no brackets: `year=1980`. Null is said by `true` and
    /// `false`. Values of a list have commas between them, and one with a comma, a quote or a line
    /// break stands in double quotes, as in CSV.
    ///
    /// - Parameters:
    ///   - root: The name before the first brackets, such as `filter`; nil for the property's.
    ///   - isNested: Whether the parts of a nested key have brackets each.
    /// - Returns: The filter.
    public static func brackets(in root: String? = nil, isNested: Bool = false) -> Filter {
      .named({ $0.texts.map(asInCSV).joined(separator: ",") }) { condition in
        let parts = (root.map { [$0] } ?? []) + (isNested ? condition.path : [condition.name])
        let inner = parts.dropFirst() + (condition.word.isEmpty ? [] : [condition.word])
        return (parts.first ?? "") + inner.map { "[\($0)]" }.joined()
      }
    }

    /// An item for each condition; null is `true` and `false`.
    static func named(
      _ list: @escaping @Sendable (Condition) throws -> String,
      name: @escaping @Sendable (Condition) -> String
    ) -> Filter {
      .items { condition in
        let value =
          switch condition.operation {
          case .isNull: "true"
          case .isNotNull: "false"
          case .isIn, .isNotIn, .between: try list(condition)
          case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .hasPrefix,
            .contains:
            condition.text
          }
        return [URLQueryItem(name: name(condition), value: value)]
      }
    }

    /// One expression in one item, with conditions between operators: `filter=year>1&&(a||b)`.
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
    ///   - all: What stands between conditions that all hold.
    ///   - any: What stands between conditions of which one holds.
    ///   - not: What stands before a condition in parentheses that does not hold; nil for nothing.
    ///   - condition: The text of one condition, quoted as the service wants it.
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

    /// One expression in one item, joined by a function: `formula=AND({A}>1,NOT({B}=2))`.
    ///
    /// - Parameters:
    ///   - item: The item's name.
    ///   - condition: The text of one condition, quoted as the service wants it.
    ///   - joining: The text of parts that are joined; one part where it is turned round.
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

  /// How the parts of an expression are joined.
  public enum Join: Sendable, Hashable {
    /// All hold.
    case all
    /// One holds.
    case any
    /// It does not hold.
    case not
  }

  /// What an order becomes: a function from its keys, of which there is one at least.
  public struct Ordering: Sendable {
    let items: @Sendable ([Order]) throws -> [URLQueryItem]

    /// Makes an ordering of a function.
    public init(_ items: @escaping @Sendable ([Order]) throws -> [URLQueryItem]) {
      self.items = items
    }

    /// All keys in one item, with something before or behind a key: `sort=-year,name`.
    ///
    /// An id that is added for the order of equals stands alone.
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
  }

  /// How a part of a list is asked for.
  public enum Paging: Sendable {
    /// By how many models, and how many to pass over.
    case offset(limit: String = "limit", offset: String = "offset")
    /// By the number of a page and its size; an offset then has to be whole pages.
    case page(number: String, size: String?, first: Int = 1)
    /// By the header field `Range`, such as `Range: 0-24`, or `Range: items=0-24` with a unit.
    case range(unit: String? = nil)
    /// By how many models alone.
    case limit(String)
    /// By a function of how many models are wanted, nil for all, and how many are passed over.
    case items(@Sendable (_ limit: Int?, _ offset: Int) throws -> [URLQueryItem])
  }
}

extension HTTPFilters.Conditions {
  /// The conditions that hold together; throws where there are others.
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
