public import Evocation
import Foundation

extension HTTPRepository: Repository {
  /// Asks for the models that match, by `GET path` and the criteria as a query.
  @concurrent public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await list(routes.find, criteria)
  }

  /// Asks for one model: by its id when the criteria ask for that alone, else for a list of one.
  @concurrent public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    let one = criteria.limit(min(criteria.limit ?? 1, 1))
    guard let route = routes.findOne else { return try await list(routes.find, one).first }
    guard route.namesModel else { return try await list(route, one).first }
    guard one.limit == 1, let id = criteria.onlyEquality(client.format.identifierKey) else {
      return try await list(routes.find, one).first
    }
    try check(criteria)
    let text = idText(id)
    let request = try client.request(route, id: text)
    let writes = tags.writes
    do {
      let (answer, content) = try await read(request) { answer in
        answer.isOtherwiseDone
          ? Content(value: nil) : try coding.one(of: Model.self, from: answer.body)
      }
      guard let model = content.value else {
        forget([text])
        return Response(nil, metadata: answer.metadata)
      }
      let version = content.versions.first ?? nil
      let tag = version ?? answer.tag(client.format.version)
      let told = version ?? (hasVersion(at: route) ? tag : nil)
      tags.read(text, at: version == nil ? request.url : nil, tag, writes: writes)
      remember([model])
      let versions = told == nil ? [] : given([told])
      return Response(model, metadata: answer.metadata, versions: versions)
    } catch let error as HTTPError where error.code == .notFound {
      forget([text])
      return Response(nil, metadata: ["status": error.status ?? 404, "headers": error.headers])
    }
  }

  /// Counts the models, by the number in an answer where the configuration says where it is.
  ///
  /// It then asks for one model. Without such a number, or with a cursor, it fetches all models.
  @concurrent public func count(_ criteria: Criteria) async throws -> Int {
    guard let total = client.format.total, criteria.cursor == nil else {
      return try await find(criteria).value.count
    }
    let one = criteria.offset(0).limit(1).unsorted
    try check(one)
    guard !criteria.isNever else { return 0 }
    let query: HTTPQuery
    do {
      query = try client.format.written(one, names: client.names, isOrdered: false)
    } catch let error as HTTPError where isDoneHere(error) {
      return try await find(criteria).value.count
    }
    let route = routes.count ?? routes.find
    let request = try client.request(route, query: query)
    let answer = try await client.send(request)
    guard let count = answer.total(total) else { return try await find(criteria).value.count }
    let rest = max(0, count - min(count, max(0, criteria.offset)))
    return min(rest, max(0, criteria.limit ?? rest))
  }

  /// Asks for a list, and for its further pages until there are as many models as are wanted.
  private func list(
    _ route: HTTPFormat.Route, _ criteria: Criteria
  ) async throws -> Response<[Model]> {
    try check(criteria)
    if let contradiction = client.contradiction { throw contradiction }
    guard !criteria.isNever else { return Response([]) }
    var pages: HTTPPages
    do {
      pages = try HTTPPages(route, criteria, client)
    } catch let error as HTTPError where isDoneHere(error) {
      return try await filteredHere(route, criteria, error)
    }
    var all = Response<[Model]>([])
    while true {
      let (page, size) = try await self.page(pages.request)
      all.add(page)
      guard try pages.follow(page.metadata, count: page.value.count, holding: size) else {
        return pages.answer(all)
      }
    }
  }

  private func page(
    _ request: HTTPRequest
  ) async throws -> (page: Response<[Model]>, size: Int) {
    let writes = tags.writes
    let (answer, content) = try await read(request) { answer in
      answer.isOtherwiseDone
        ? Content(value: []) : try coding.list(of: Model.self, from: answer.body)
    }
    // After a 304 the list is the earlier one, so tags that were learned since then are newer.
    if answer.remembered == nil { learn(content, writes: writes) }
    let page = Response(
      content.value, metadata: metadata(of: answer, content.found),
      versions: given(content.versions))
    return (page, answer.body.count)
  }

  /// Asks for what the service can say, and does the rest here.
  private func filteredHere(
    _ route: HTTPFormat.Route, _ criteria: Criteria, _ error: HTTPError
  ) async throws -> Response<[Model]> {
    var asked = Criteria()
    for part in criteria.predicate?.conjuncts ?? [] {
      let more = asked && Criteria(part)
      if (try? client.format.written(more, names: client.names)) != nil { asked = more }
    }
    guard asked != criteria else { throw error }
    let all = try await list(route, asked)
    let found = try await InMemoryRepository<Model>(all.value).find(criteria)
    return all.keeping(found.value, of: all.value) { _ in found.value }
  }

  func isDoneHere(_ error: HTTPError) -> Bool {
    client.format.filtersHere && error.code == .unsupportedCriteria
  }

  /// Checks that the model has each key, as local stores do.
  ///
  /// A type that cannot be looked into is not checked; what is wrong the service then says.
  func check(_ criteria: Criteria) throws {
    guard criteria.cursor?.link == nil, client.format.query == nil,
      criteria.predicate != nil || !criteria.order.isEmpty || criteria.cursor != nil,
      let schema = try? ModelSchema.of(Model.self)
    else { return }
    try criteria.checkLevels()
    let known = client.format.parameters.union([client.format.identifierKey])
    for key in (criteria.predicate?.keys ?? []) + criteria.order.map(\.key)
    where !known.contains(key) {
      _ = try schema.target(of: key)
    }
  }
}

extension HTTPRepository {
  /// Sends a read and decodes its answer, or takes what is remembered of it.
  private func read<Value: Sendable>(
    _ request: HTTPRequest, _ decoding: (HTTPAnswer) throws -> Content<Value>
  ) async throws -> (HTTPAnswer, Content<Value>) {
    let answer = try await client.send(request, remembering: Value.self)
    if let content = answer.remembered as? Content<Value> { return (answer, content) }
    let content = try decode(answer, of: request) { _ in try decoding(answer) }
    client.remember(content, of: answer)
    return (answer, content)
  }

  private func forget(_ ids: [String]) {
    tags.forget(ids)
    sent.forget(ids)
  }

  /// Takes the versions of models that came in a list, and forgets the tags of those without one.
  func learn(_ content: Content<[Model]>, writes: Int) {
    if !content.versions.isEmpty {
      for (model, version) in zip(content.value, content.versions) {
        guard let id = try? idText(of: model) else { continue }
        tags.read(id, at: nil, version, writes: writes)
      }
    } else if !tags.isEmpty {
      tags.forget(content.value.compactMap { try? idText(of: $0) })
    }
    remember(content.value)
  }

  /// What is given beside the models of a list.
  func metadata(
    of answer: HTTPAnswer, _ found: [String: String]
  ) -> [String: any Sendable] {
    var metadata = answer.metadata
    if let total = client.format.total, let count = answer.total(total, found) {
      metadata["totalCount"] = count
    }
    switch client.format.next {
    case .link: break
    case .offset: metadata["next"] = nil
    case .header(let name):
      metadata["next"] = answer.address(answer.headers[name.lowercased()])
    case .key(let place):
      // Empty at the end, which says that the service has the key.
      let next = answer.address(found[place])
      if let next { metadata["next"] = next } else { metadata["next"] = "" }
    }
    for (name, place) in client.format.metadata { metadata[name] = found[place] }
    return metadata
  }
}

extension HTTPAnswer {
  /// How many models match in all; nil where the answer does not say.
  fileprivate func total(
    _ total: HTTPFormat.Total, _ found: [String: String]? = nil
  ) -> Int? {
    let text: String? =
      switch total {
      case .header(let name): headers[name.lowercased()]
      case .key(let place): found.map { $0[place] } ?? number(at: place)
      case .contentRange:
        headers["content-range"]?.split(separator: "/").last.map(String.init)
      }
    return text.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// A whole number in the body, whatever else is there.
  private func number(at place: String) -> String? {
    let json = try? JSONSerialization.jsonObject(with: body)
    return (HTTPRefusal.value(json, at: place) as? Int).map { String($0) }
  }

  /// An address in the answer, made whole.
  fileprivate func address(_ text: String?) -> URL? {
    guard let text, !text.isEmpty else { return nil }
    return URL(string: text, relativeTo: url)?.absoluteURL
  }
}

extension Criteria.Predicate {
  /// The keys that it compares.
  fileprivate var keys: [Criteria.Key] {
    switch self {
    case .comparison(let key, _, _), .isIn(let key, _), .between(let key, _, _), .isNull(let key),
      .hasPrefix(let key, _), .contains(let key, _):
      [key]
    case .all(let parts), .any(let parts): parts.flatMap(\.keys)
    case .not(let part): part.keys
    }
  }
}

extension Criteria {
  /// The value that the key must equal, when the criteria ask for nothing else.
  fileprivate func onlyEquality(_ key: Key) -> Scalar? {
    guard offset == 0, cursor == nil, let conjuncts = predicate?.conjuncts, conjuncts.count == 1,
      case .comparison(key, .equal, let operand) = conjuncts.first, operand.value != .null
    else { return nil }
    return operand.value
  }

  /// Whether no model can match: none is wanted, or a value is to be one of none.
  var isNever: Bool {
    let isNone = predicate?.conjuncts.contains { part in
      if case .isIn(_, let values) = part { values.isEmpty } else { false }
    }
    return limit == 0 || isNone == true
  }

  /// The same without an order, which counting does not need.
  fileprivate var unsorted: Criteria {
    var criteria = self
    criteria.order = []
    return criteria
  }
}
