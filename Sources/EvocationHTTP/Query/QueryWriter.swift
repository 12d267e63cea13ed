import Evocation
import Foundation

/// Turns criteria into query items, as a service's ``HTTPFilters`` say.
struct QueryWriter {
  let filters: HTTPFilters
  let names: KeyNames
  let text: ScalarText
  let identifierKey: Criteria.Key
  /// Keys that are parameters of the service, and no properties.
  let parameters: Set<Criteria.Key>
  private(set) var items: [URLQueryItem] = []
  /// The header field `Range`, where the service pages by it.
  private(set) var range: String?

  init(
    _ filters: HTTPFilters, names: KeyNames, text: ScalarText, identifierKey: Criteria.Key,
    parameters: Set<Criteria.Key>
  ) {
    self.filters = filters
    self.names = names
    self.text = text
    self.identifierKey = identifierKey
    self.parameters = parameters
  }

  /// Adds all that criteria ask for.
  mutating func append(_ criteria: Criteria, isOrdered: Bool = true) throws(HTTPError) {
    for part in criteria.predicate?.conjuncts ?? [] { try append(part) }
    if isOrdered { try appendOrder(criteria.order) }
    try appendPart(limit: criteria.limit, offset: criteria.offset)
    if let cursor = criteria.cursor { try append(cursor) }
  }

  private mutating func append(_ predicate: Criteria.Predicate) throws(HTTPError) {
    switch predicate {
    case .comparison(let key, .equal, let operand) where parameters.contains(key):
      guard let value = text.text(of: operand.value) else {
        throw Self.unsupported("its parameter \"\(key)\" cannot be null, NaN or infinity")
      }
      append(key.name, value)
    case .comparison(let key, let comparison, let operand):
      try append(QueryCondition(key, comparison, operand.value))
    case .isIn(let key, let values):
      try append(QueryCondition(key, .isIn, values))
    case .between(let key, let lower, let upper):
      if filters.has(.between) { return try append(QueryCondition(key, .between, [lower, upper])) }
      try append(QueryCondition(key, .greaterOrEqual, [lower]))
      try append(QueryCondition(key, .lessOrEqual, [upper]))
    case .isNull(let key):
      try append(QueryCondition(key, .isNull, []))
    case .hasPrefix(let key, "") where filters.texts == .filled:
      try append(QueryCondition(key, .isNotNull, []))
    case .hasPrefix(let key, let prefix):
      try append(QueryCondition(key, .hasPrefix, [.text(prefix)]))
    case .contains(let key, let operand):
      try append(QueryCondition(key, .contains, [operand.value]))
    case .all(let parts):
      for part in parts { try append(part) }
    case .any(let parts):
      let groups = try groups(for: "or")
      append(groups.any, "(" + (try members(parts, isTurned: false)) + ")")
    case .not(let part):
      if case .condition(let condition) = QueryPart(part), let opposite = opposite(of: condition) {
        return try append(opposite)
      }
      let groups = try groups(for: "not")
      append(groups.all, "(" + (try member(part, isTurned: true)) + ")")
    }
  }

  private mutating func append(_ condition: QueryCondition) throws(HTTPError) {
    let template = try template(of: condition)
    let key = try name(of: condition, in: template)
    guard condition.takesList, !condition.values.isEmpty, case .repeated = filters.list else {
      let value = try joined(condition)
      return append(template, key, condition, value)
    }
    for scalar in condition.values {
      append(template, key, condition, try value(scalar, condition.key, "in"))
    }
  }

  private mutating func append(
    _ template: QueryTemplate, _ key: String, _ condition: QueryCondition, _ value: String
  ) {
    let parts = template.parts
    let values = values(key, condition, value)
    append(parts.name.filled(values), parts.value.filled(values))
  }

  private mutating func append(_ name: String, _ value: String) {
    items.append(URLQueryItem(name: name, value: value))
  }
}

extension QueryWriter {
  private mutating func appendOrder(_ order: [Criteria.Sort]) throws(HTTPError) {
    let last = filters.sort.identifier
    let isWhole = last == nil || order.contains { $0.key == identifierKey }
    guard !order.isEmpty || !isWhole else { return }
    guard let name = filters.sort.name else { throw Self.unsupported("it has no order") }
    var keys: [String] = []
    for sort in order {
      let pattern = sort.descending ? filters.sort.descending : filters.sort.ascending
      keys.append(QueryTemplate(pattern: pattern).filled(["key": try self.name(of: sort.key)]))
    }
    if let last, !isWhole {
      keys.append(QueryTemplate(pattern: last).filled(["key": try self.name(of: identifierKey)]))
    }
    append(name, keys.joined(separator: ","))
  }

  private mutating func appendPart(limit: Int?, offset: Int) throws(HTTPError) {
    switch filters.paging {
    case .offset(let limitName, let offsetName):
      if let limit { append(limitName, String(limit)) }
      if offset > 0 { append(offsetName, String(offset)) }
    case .page(let number, let size, let first):
      if limit == 0, let size { return append(size, "0") }
      guard let limit, limit > 0 else {
        guard offset == 0 else { throw Self.unsupported("it counts pages, and there is no limit") }
        return
      }
      guard offset % limit == 0 else {
        throw Self.unsupported("it counts pages of \(limit), and \(offset) is not whole pages")
      }
      append(number, String(first.addingReportingOverflow(offset / limit).partialValue))
      if let size { append(size, String(limit)) }
    case .range(let unit):
      guard limit != nil || offset > 0 else { return }
      let (last, isOver) = offset.addingReportingOverflow(max(1, limit ?? Int.max) - 1)
      let end = isOver || limit == nil ? "" : String(last)
      range = "\(unit.map { "\($0)=" } ?? "")\(offset)-\(end)"
    case .limit(let name):
      if let limit { append(name, String(limit)) }
      guard offset == 0 else { throw Self.unsupported("it has no offset") }
    }
  }

  private mutating func append(_ cursor: Criteria.Cursor) throws(HTTPError) {
    guard let name = filters.after else {
      throw Self.unsupported("it has no way to go on after a model")
    }
    guard cursor.id.count == 1, let id = cursor.id.first, id != .null else {
      throw Self.unsupported("its \"after\" takes a cursor whose id is one value")
    }
    append(name, try value(id, identifierKey, name))
  }
}

extension QueryWriter {
  /// The members of a group, joined as the members of it are.
  private func members(
    _ parts: [Criteria.Predicate], isTurned: Bool
  ) throws(HTTPError) -> String {
    var members: [String] = []
    for part in parts { members.append(try member(part, isTurned: isTurned)) }
    guard !members.isEmpty else { throw Self.unsupported("it has no group without conditions") }
    return members.joined(separator: ",")
  }

  /// A member of a group, turned round or not: what is not *a and b* is *not a or not b*.
  private func member(
    _ predicate: Criteria.Predicate, isTurned: Bool
  ) throws(HTTPError) -> String {
    let groups = try groups(for: "or")
    if case .between(let key, let lower, let upper) = predicate {
      let ends: [Criteria.Predicate] = [
        .comparison(key, .greaterOrEqual, .init(lower)),
        .comparison(key, .lessOrEqual, .init(upper)),
      ]
      return try member(.all(ends), isTurned: isTurned)
    }
    switch QueryPart(predicate) {
    case .all(let parts):
      let name = isTurned ? groups.any : groups.all
      return "\(name)(\(try members(parts, isTurned: isTurned)))"
    case .any(let parts):
      let name = isTurned ? groups.all : groups.any
      return "\(name)(\(try members(parts, isTurned: isTurned)))"
    case .not(let part):
      return try member(part, isTurned: !isTurned)
    case .condition(let condition):
      return try leaf(condition, isTurned, groups)
    }
  }

  private func leaf(
    _ condition: QueryCondition, _ isTurned: Bool, _ groups: HTTPFilters.Groups
  ) throws(HTTPError) -> String {
    guard isTurned else { return try item(condition, groups.item) }
    if let opposite = opposite(of: condition) { return try item(opposite, groups.item) }
    let negated = try item(condition, groups.negated)
    guard groups.isThreeValued else { return negated }
    let absent = try item(QueryCondition(condition.key, .isNull, []), groups.item)
    return "\(groups.any)(\(negated),\(absent))"
  }

  private func item(_ condition: QueryCondition, _ pattern: String) throws(HTTPError) -> String {
    let template = try template(of: condition)
    let key = try name(of: condition, in: template)
    let value = try joined(condition)
    var values = values(key, condition, value)
    values["value"] = condition.takesList ? value : quoted(value)
    // An item of its own, such as `like.{like}*`, has operator and value in the group's places.
    let own = filters.items[condition.operation] ?? ""
    let parts = QueryTemplate(pattern: own).parts.value.pattern.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count > 1 else {
      guard filters.operators[condition.operation] != nil else {
        throw Self.unsupported("its groups have no \"\(condition.operation.word)\"")
      }
      return QueryTemplate(pattern: pattern).filled(values)
    }
    let filled = QueryTemplate(pattern: String(parts[1])).filled(
      self.values(key, condition, value))
    values["op"] = String(parts[0])
    let isFilled = own.contains("{like}") || own.contains("{value}")
    values["value"] = isFilled && !condition.takesList ? quoted(filled) : filled
    return QueryTemplate(pattern: pattern).filled(values)
  }

  private func groups(for word: String) throws(HTTPError) -> HTTPFilters.Groups {
    guard let groups = filters.groups else { throw Self.unsupported("it has no \"\(word)\"") }
    return groups
  }

  /// A condition that holds exactly where another one does not, if the table has one.
  private func opposite(of condition: QueryCondition) -> QueryCondition? {
    switch condition.operation {
    case .isNull:
      filters.has(.isNotNull) ? QueryCondition(condition.key, .isNotNull, []) : nil
    case .isNotNull:
      QueryCondition(condition.key, .isNull, [])
    case .equal where filters.has(.notEqual):
      QueryCondition(condition.key, .notEqual, condition.values)
    case .notEqual where filters.has(.equal):
      QueryCondition(condition.key, .equal, condition.values)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between,
      .hasPrefix, .contains:
      nil
    }
  }
}
