public import Evocation

extension HTTPFilters {
  /// A condition on one property, in the words of the service.
  public struct Condition: Sendable {
    /// The property as criteria name it.
    public let key: Criteria.Key

    /// The names of the property and of those it lies in, as the models' encoder writes them.
    public let path: [String]

    /// The names joined by ``HTTPFilters/separator``.
    public let name: String

    /// Whether the property is the id, by which some services do not mean a field.
    public let isIdentifier: Bool

    /// What is asked of the property.
    public let operation: Operator

    /// The service's word for it, from ``HTTPFilters/operators``.
    public let word: String

    /// The values: none for null, several for ``Operator/isIn``, and one otherwise.
    public let values: [Criteria.Scalar]

    /// The values as the models' encoder writes them.
    public let texts: [String]

    /// The text of the one value; empty where there is none.
    public var text: String { texts.first ?? "" }

    /// Whether the values are neither numbers nor Booleans.
    public var isText: Bool { values.isEmpty || !values.allSatisfy(\.isNumber) }

    /// The condition between names and literals, with one for each of several values.
    ///
    /// - Parameters:
    ///   - literals: The values as the service writes them.
    ///   - all: What stands between conditions that all hold.
    ///   - any: What stands between conditions of which one holds.
    /// - Returns: Such as `year>=1980`, `owner=null` or `(year=1||year=2)`.
    /// - Throws: ``HTTPError`` where a list has no values.
    public func text(_ literals: [String], all: String, any: String) throws -> String {
      let each = literals.map { name + word + $0 }
      return switch operation {
      case .isNull, .isNotNull: "\(name)\(word)null"
      case .isIn: try list(each, joined: any)
      case .isNotIn, .between: try list(each, joined: all)
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .hasPrefix,
        .contains:
        each.joined()
      }
    }

    /// Parts in parentheses, of which there is one at least.
    func list(_ parts: [String], joined separator: String) throws -> String {
      guard !parts.isEmpty else { throw HTTPError.unsupported("its lists cannot be empty") }
      return "(" + parts.joined(separator: separator) + ")"
    }

    func with(_ operation: Operator, _ word: String, _ pairs: [(Criteria.Scalar, String)]) -> Self {
      Condition(
        key: key, path: path, name: name, isIdentifier: isIdentifier, operation: operation,
        word: word,
        values: pairs.map(\.0), texts: pairs.map(\.1))
    }

    func unsupported(_ reason: String) -> HTTPError {
      .unsupported("its \"\(operation.word)\" \(reason)")
    }
  }

  /// Conditions, and how they are joined; negations stand before single conditions alone.
  public indirect enum Conditions: Sendable {
    /// One condition.
    case condition(Condition)

    /// All of them hold; at least one.
    case all([Conditions])

    /// At least one of them holds; at least one.
    case any([Conditions])

    /// A condition that does not hold, where the service has no operator for the opposite.
    case not(Condition)

    /// What has to hold together, which services mostly say by one item after the other.
    public var conjuncts: [Conditions] {
      if case .all(let parts) = self { parts } else { [self] }
    }

    /// The condition, and whether it is turned round; nil for a group.
    var single: (condition: Condition, isTurned: Bool)? {
      switch self {
      case .condition(let condition): (condition, false)
      case .not(let condition): (condition, true)
      case .all, .any: nil
      }
    }

    /// All conditions in it.
    var conditions: [Condition] {
      switch self {
      case .condition(let condition), .not(let condition): [condition]
      case .all(let parts), .any(let parts): parts.flatMap(\.conditions)
      }
    }

    /// Parts that are joined, without groups of the same kind or of one part within them.
    static func joined(_ isAll: Bool, _ parts: [Conditions]) -> Conditions {
      let flat = parts.flatMap { part in
        switch part {
        case .all(let inner): isAll ? inner : [part]
        case .any(let inner): isAll ? [part] : inner
        case .condition, .not: [part]
        }
      }
      if let only = flat.first, flat.count == 1 { return only }
      return isAll ? .all(flat) : .any(flat)
    }
  }

  /// What ``Conditions`` was called.
  @available(*, deprecated, renamed: "Conditions")
  public typealias Predicate = Conditions

  /// One key of an order, in the words of the service.
  public struct Order: Sendable {
    /// The names of the property and of those it lies in.
    public let path: [String]

    /// The names joined by ``HTTPFilters/separator``.
    public let name: String

    /// Whether the property is the id, by which some services do not mean a field.
    public let isIdentifier: Bool

    /// Whether the greatest value comes first, and null last.
    public let descending: Bool

    /// Whether it is the id, by which criteria did not ask to sort, for the order of equals.
    public let isAdded: Bool
  }
}

extension Criteria.Scalar {
  /// Whether a service compares it as a number or as true and false, and not as text.
  var isNumber: Bool {
    switch self {
    case .bool, .integer, .unsigned, .real, .decimal: true
    case .null, .text, .date, .uuid, .data, .url: false
    }
  }
}
