public import Evocation

extension HTTPFilters {
  /// A condition on one property, in the service's names and operators.
  public struct Condition: Sendable {
    /// The property, as criteria name it.
    public let key: Criteria.Key

    /// The names of the property and of the properties around it, as the models' encoder writes them.
    public let path: [String]

    /// The names, joined by ``HTTPFilters/separator``.
    public let name: String

    /// Whether the property is the id, which is not a field in some services.
    public let isIdentifier: Bool

    /// The comparison that the condition makes.
    public let operation: Operator

    /// What the comparison of text leaves out, which only ``HTTPFilters/textOperators`` allow.
    public let options: Criteria.CompareOptions

    /// The service's name of the operator, from ``HTTPFilters/operators``, or from
    /// ``HTTPFilters/textOperators`` if there are options.
    public let word: String

    /// The values: none for null, several for a list, two for ``Operator/between``, otherwise one.
    ///
    /// A list is the operand of ``Operator/isIn`` or ``Operator/isNotIn``.
    public let values: [Criteria.Scalar]

    /// The values as the models' encoder writes them.
    public let texts: [String]

    /// The text of the first value; empty if there is none.
    public var text: String { texts.first ?? "" }

    /// The values as JSON: numbers and Booleans as they are, and all others in quotes.
    public var json: [String] { zip(values, texts).map { $0.isNumber ? $1 : $1.inJSON } }

    /// Whether the values are neither numbers nor Booleans.
    public var isText: Bool { values.isEmpty || !values.allSatisfy(\.isNumber) }

    /// Returns the condition as name, operator and literal, with one such part for each of several values.
    ///
    /// - Parameters:
    ///   - literals: The values as the service writes them.
    ///   - all: The text between conditions that must all hold.
    ///   - any: The text between conditions of which one must hold.
    /// - Returns: Such as `year>=1980`, `owner=null` or `(year=1||year=2)`.
    /// - Throws: ``HTTPError`` if a list has no values.
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

    /// Returns parts in parentheses; throws if there are none.
    func list(_ parts: [String], joined separator: String) throws -> String {
      guard !parts.isEmpty else { throw HTTPError.unsupported("its lists cannot be empty") }
      return "(" + parts.joined(separator: separator) + ")"
    }

    func with(_ operation: Operator, _ word: String, pairs: [(Criteria.Scalar, String)]) -> Self {
      Condition(
        key: key, path: path, name: name, isIdentifier: isIdentifier, operation: operation,
        options: options, word: word,
        values: pairs.map(\.0), texts: pairs.map(\.1))
    }

    /// Returns the error of a condition that a service cannot express, for closures to throw.
    ///
    /// - Parameter reason: What is behind the operator in the sentence, such as `cannot compare data`.
    /// - Returns: The error, which names the operator.
    public func unsupported(_ reason: String) -> HTTPError {
      .unsupported("its \"\(operation.word(options))\" \(reason)")
    }
  }

  /// Conditions and how they are joined; only a single condition can be negated.
  public indirect enum Conditions: Sendable {
    /// One condition.
    case condition(Condition)

    /// Conditions that must all hold; at least one.
    case all([Conditions])

    /// Conditions of which one must hold; at least one.
    case any([Conditions])

    /// A negated condition, for a service that has no operator for the opposite.
    case not(Condition)

    /// The conditions that must hold together, which most services express as separate items.
    public var conjuncts: [Conditions] {
      if case .all(let parts) = self { parts } else { [self] }
    }

    /// The condition, and whether it is negated; nil for a group.
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

    /// Returns joined parts, without nested groups of the same kind or of one part.
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

  /// One key of an order, in the service's names.
  public struct Order: Sendable {
    /// The names of the property and of the properties around it.
    public let path: [String]

    /// The names, joined by ``HTTPFilters/separator``.
    public let name: String

    /// Whether the property is the id, which is not a field in some services.
    public let isIdentifier: Bool

    /// Whether the greatest value comes first, and null last.
    public let descending: Bool

    /// Whether it is an id that Evocation added to order equal models, and not part of the criteria.
    public let isAdded: Bool
  }
}

extension Criteria.Scalar {
  /// Whether a service compares it as a number or a Boolean, and not as text.
  var isNumber: Bool {
    switch self {
    case .bool, .integer, .unsigned, .real, .decimal: true
    case .null, .text, .date, .uuid, .data, .url: false
    }
  }
}
