import Evocation
import Foundation

/// The parts of a request that criteria become.
struct HTTPQuery: Sendable {
  var items: [URLQueryItem] = []
  var range: String?
  /// The criteria; nil for a request that is about one model.
  var criteria: Criteria?
  /// The address of a further page, instead of the address of a route.
  var address: URL?
}

/// Turns criteria into query items, by a service's ``HTTPFilters``.
struct QueryWriter {
  let filters: HTTPFilters
  let names: KeyNames
  let text: ScalarText
  let identifierKey: Criteria.Key
  /// Keys that are parameters of the service and not properties.
  let parameters: Set<Criteria.Key>

  /// Returns the query of criteria.
  func query(for criteria: Criteria, isOrdered: Bool = true) throws -> HTTPQuery {
    var (items, conditions): ([URLQueryItem], [HTTPFilters.Conditions]) = ([], [])
    for part in criteria.predicate?.allConjuncts ?? [] {
      if case .comparison(let key, .equal, let operand) = part, parameters.contains(key) {
        items.append(try parameter(key, operand.value))
      } else if case .parameter(let key, let operand) = part {
        items.append(try parameter(key, operand.value))
      } else if case .matching(let words) = part {
        guard let matching = filters.matching else {
          throw HTTPError.unsupported("it has no \"matching\"")
        }
        items += try matching(words)
      } else {
        conditions.append(try predicate(part, isTurned: false))
      }
    }
    if !conditions.isEmpty {
      var whole = HTTPFilters.Conditions.joined(true, conditions)
      if !filters.repeatsItems { whole = try filters.folded(whole) }
      items += try checked(filters.filter.items(whole))
    }
    if isOrdered { items += try ordering(criteria.order) }
    let part = try part(limit: criteria.limit, offset: criteria.offset)
    items += part.items
    if let cursor = criteria.cursor { items.append(try following(cursor)) }
    if !filters.repeatsItems { try checkRepetitions(items) }
    return HTTPQuery(items: items, range: part.range)
  }

  private func parameter(_ key: Criteria.Key, _ value: Criteria.Scalar) throws -> URLQueryItem {
    guard let text = text.text(of: value) else {
      throw HTTPError.unsupported("its parameter \"\(key)\" cannot be null, NaN or infinity")
    }
    return URLQueryItem(name: key.name, value: text)
  }

  /// Returns the items of conditions; throws if one has the name of an item with another meaning.
  private func checked(_ items: [URLQueryItem]) throws -> [URLQueryItem] {
    var taken = filters.reserved
    taken.formUnion(filters.paging.names)
    filters.after.map { _ = taken.insert($0) }
    let ordering = try? filters.order?.items([order(Criteria.Sort(identifierKey))])
    taken.formUnion((ordering ?? []).map(\.name))
    for item in items {
      let name = String(item.name.prefix { $0 != "[" })
      guard !taken.contains(name) else { throw Self.noField(name) }
    }
    return items
  }

  private func checkRepetitions(_ items: [URLQueryItem]) throws {
    var seen: Set<String> = []
    for item in items where !seen.insert(item.name).inserted {
      throw HTTPError.unsupported("it allows no two items with one name, such as \"\(item.name)\"")
    }
  }

  private static func noField(_ name: String) -> HTTPError {
    .unsupported("the key \"\(name)\" is not a field in this scheme")
  }
}

extension QueryWriter {
  /// Returns a predicate in the service's operators, negated or not: not (a and b) is (not a) or (not b).
  private func predicate(
    _ given: Criteria.Predicate, isTurned: Bool
  ) throws -> HTTPFilters.Conditions {
    switch given {
    case .all(let parts): try join(parts, isAll: !isTurned, isTurned: isTurned)
    case .any(let parts): try join(parts, isAll: isTurned, isTurned: isTurned)
    case .not(let part): try predicate(part, isTurned: !isTurned)
    case .comparison(let key, let comparison, let operand):
      try term(
        key, .init(comparison, isNull: operand.value == .null), values: [operand.value],
        isTurned: isTurned)
    case .isIn(let key, let values): try term(key, .isIn, values: values, isTurned: isTurned)
    case .between(let key, let lower, let upper) where has(.between):
      try term(key, .between, values: [lower, upper], isTurned: isTurned)
    case .between(let key, let lower, let upper):
      try join(
        [
          .comparison(key, .greaterOrEqual, .init(lower)),
          .comparison(key, .lessOrEqual, .init(upper)),
        ], isAll: !isTurned, isTurned: isTurned)
    case .isNull(let key): try term(key, .isNull, values: [], isTurned: isTurned)
    case .hasPrefix(let key, "") where !filters.hasEmptyTexts:
      try term(key, .isNotNull, values: [], isTurned: isTurned)
    case .hasPrefix(let key, let prefix):
      try term(key, .hasPrefix, values: [.text(prefix)], isTurned: isTurned)
    case .contains(let key, let operand):
      try term(key, .contains, values: [operand.value], isTurned: isTurned)
    case .text(let key, let comparison, let text, let options):
      try term(
        key, .init(comparison), values: [.text(text)], options: options, isTurned: isTurned)
    case .parameter(let key, _):
      throw HTTPError.unsupported(
        "its parameter \"\(key)\" takes one value, and cannot be compared")
    case .matching:
      throw HTTPError.unsupported("it has no \"matching\" inside of || and !")
    }
  }

  private func join(
    _ parts: [Criteria.Predicate], isAll: Bool, isTurned: Bool
  ) throws -> HTTPFilters.Conditions {
    guard !parts.isEmpty else {
      throw HTTPError.unsupported("it has no group without conditions")
    }
    return .joined(isAll, try parts.map { try predicate($0, isTurned: isTurned) })
  }

  private func term(
    _ key: Criteria.Key, _ operation: HTTPFilters.Operator, values: [Criteria.Scalar],
    options: Criteria.CompareOptions = [], isTurned: Bool
  ) throws -> HTTPFilters.Conditions {
    let isUnequal = operation == .notEqual || operation == .isNotIn
    var term: HTTPFilters.Conditions
    if isTurned, options.isEmpty,
      let opposite = operation.opposite(withoutNull: filters.nulls != .values), has(opposite)
    {
      guard operation.opposite(withoutNull: false) == nil, filters.nulls != .none else {
        return try self.term(key, opposite, values: values, isTurned: false)
      }
      term = .condition(try condition(key, opposite, values: values))
    } else {
      let one = try condition(key, operation, values: values, options: options)
      term = isTurned ? .not(one) : .condition(one)
      let meetsNull = isTurned ? operation != .isNotNull && operation != .isNull : isUnequal
      guard meetsNull, filters.nulls == .excluded || filters.nulls == .unknown && isTurned else {
        return term
      }
    }
    return .any([term, .condition(try condition(key, .isNull, values: []))])
  }

  private func condition(
    _ key: Criteria.Key, _ operation: HTTPFilters.Operator, values: [Criteria.Scalar],
    options: Criteria.CompareOptions = []
  ) throws -> HTTPFilters.Condition {
    guard !parameters.contains(key) else {
      throw HTTPError.unsupported(
        "its parameter \"\(key)\" takes one value, and cannot be compared")
    }
    let name = operation.word(options)
    let words = options.isEmpty ? filters.operators : filters.textOperators[options] ?? [:]
    guard let word = words[operation] else { throw HTTPError.unsupported("it has no \"\(name)\"") }
    let known = options.isEmpty ? filters.keys?[key] : filters.textKeys[key]?[options]
    if filters.keys != nil, known?.contains(operation) != true {
      throw HTTPError.unsupported("it has no \"\(name)\" for \"\(key)\"")
    }
    let values = operation == .isNull || operation == .isNotNull ? [] : values
    guard !isNumericID(key) || operation.opposite(withoutNull: false) != nil else {
      throw HTTPError.unsupported(
        "it has no \"\(name)\" for \"\(key)\", which it compares as a number")
    }
    let texts = try values.map { try text(of: $0, for: key, by: name) }
    let (path, field) = try path(of: key)
    return HTTPFilters.Condition(
      key: key, path: path, name: field, isIdentifier: key == identifierKey, operation: operation,
      options: options, word: word, values: values, texts: texts)
  }

  /// Returns the text of a value; throws for one that the service would not compare with.
  private func text(
    of value: Criteria.Scalar, for key: Criteria.Key, by name: String
  ) throws -> String {
    guard let text = text.text(of: value) else {
      throw HTTPError.unsupported(
        "its \"\(name)\" cannot compare \"\(key)\" with null, NaN or infinity")
    }
    guard filters.hasEmptyTexts || !text.isEmpty else {
      throw HTTPError.unsupported(
        "its \"\(name)\" ignores an empty text, which \"\(key)\" is compared with")
    }
    guard !filters.trimsTexts || !text.hasBlankEnds else {
      throw HTTPError.unsupported(
        "its \"\(name)\" leaves out blanks at the ends of a text, which \"\(key)\" is compared with"
      )
    }
    return text
  }

  /// Whether a key is that of ids that are texts, and numbers at the service.
  func isNumericID(_ key: Criteria.Key) -> Bool {
    filters.identifiersAreNumbers && key == identifierKey
  }

  private func has(_ operation: HTTPFilters.Operator) -> Bool {
    filters.operators[operation] != nil
  }

  /// Returns the names of a key; throws for a key that the service would not read as a property.
  func path(of key: Criteria.Key) throws -> (path: [String], name: String) {
    let path = names.parts(of: key)
    let isName =
      filters.isName ?? { [separator = filters.separator] part in
        !part.isEmpty && part.unicodeScalars.first != "-" && !part.has(anyOf: "[],=")
          && (separator.isEmpty || separator == "." || !part.contains(separator))
      }
    guard path.allSatisfy(isName) else { throw Self.noField(key.name) }
    return (path, path.joined(separator: filters.separator))
  }
}

extension HTTPFilters.Operator {
  fileprivate init(_ comparison: Criteria.Comparison, isNull: Bool) {
    self =
      switch comparison {
      case .equal: isNull ? .isNull : .equal
      case .notEqual: isNull ? .isNotNull : .notEqual
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      }
  }
}

extension HTTPFilters.Operator {
  fileprivate init(_ comparison: Criteria.TextComparison) {
    self =
      switch comparison {
      case .equal: .equal
      case .hasPrefix: .hasPrefix
      case .contains: .contains
      }
  }
}

extension Criteria.Predicate {
  /// The conditions that must hold together, even inside nested conjunctions.
  fileprivate var allConjuncts: [Criteria.Predicate] {
    guard case .all(let parts) = self else { return [self] }
    return parts.flatMap(\.allConjuncts)
  }
}
