public import Evocation
import Foundation

extension HTTPRepository {
  /// Finds the models that match, by `GET path` with the criteria as its query.
  @concurrent public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await list(routes.find, criteria)
  }

  /// Finds one model: by its id if the criteria have nothing else, otherwise by a list of one.
  @concurrent public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    let one = criteria.limit(min(criteria.limit ?? 1, 1))
    guard let route = routes.findOne else { return try await list(routes.find, one).first }
    guard route.hasID else { return try await list(route, one).first }
    guard one.limit == 1, let id = criteria.onlyEquality(client.format.identifierKey) else {
      return try await list(routes.find, one).first
    }
    try check(criteria)
    let text = idText(id)
    let request = try client.request(route, id: text)
    let writes = known.writes
    do {
      let (answer, content) = try await read(request) { answer in
        answer.isOtherwiseDone
          ? Content(value: nil)
          : try coding.one(
            of: Model.self, from: answer.body, id: text, mayBeEmpty: request.mayBeEmpty)
      }
      guard let model = content.value else {
        known.forget([text])
        return Response(nil, metadata: answer.metadata)
      }
      try check(model, has: id, in: answer, to: request)
      client.uuids.learn(from: model, in: answer.body)
      let version = content.versions.first ?? nil
      let tag = version ?? answer.tag(client.format.version)
      let stated = version ?? (hasVersion(at: route) ? tag : nil)
      learn(
        model, text, entry: .init(version: tag, url: version == nil ? request.url : nil),
        absent: content.absent.first ?? [], writes: writes)
      let versions = stated == nil ? [] : given([stated])
      return Response(
        model, metadata: answer.metadata, versions: versions, absentKeys: content.absent)
    } catch let error as HTTPError where error.code == .notFound {
      known.forget([text])
      return Response(nil, metadata: ["status": error.status ?? 404, "headers": error.headers])
    }
  }

  /// Counts the models that match, by the total in an answer if the format names its place.
  ///
  /// Evocation then asks for one model. Without a total, with a cursor, or with conditions that the
  /// service may pass over (``HTTPFormat/trustsFilters``), it fetches all models.
  @concurrent public func count(_ criteria: Criteria) async throws -> Int {
    guard let total = client.format.total, criteria.cursor == nil,
      MatchedConditions<Model>(criteria, client.format) == nil
    else { return try await find(criteria).value.count }
    var one = criteria.offset(0).limit(1).unsorted
    // A closure that does not write a limit is asked for the first page.
    if client.format.query != nil, !client.format.queryTakes.contains(.limit) { one.limit = nil }
    try check(one)
    guard !criteria.isNever else { return 0 }
    let query: HTTPQuery
    do {
      query = try client.written(one, isOrdered: false)
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

  /// Reads a list, and its further pages until there are as many models as are wanted.
  private func list(
    _ route: HTTPFormat.Route, _ criteria: Criteria
  ) async throws -> Response<[Model]> {
    let readsOn = criteria.isPart && passesOver(criteria)
    do {
      return try await list(route, criteria, readsOn: readsOn)
    } catch is PassedOver {
      return try await list(route, criteria, readsOn: true)
    }
  }

  private func list(
    _ route: HTTPFormat.Route, _ criteria: Criteria, readsOn: Bool
  ) async throws -> Response<[Model]> {
    try await reading {
      var all = Response<[Model]>([])
      let (metadata, hasGrown) = try await pages(
        route, criteria, isHeld: true, readsOn: readsOn
      ) { all.add($0) }
      all.metadata = metadata
      let count = all.value.count
      all = all.withoutRepeats
      // What was added before a page moved models to the next one, where they come again.
      if all.value.count < count, !hasGrown { warnOfRepeats() }
      guard readsOn else { return all }
      return all.part(from: max(0, criteria.offset), count: max(0, criteria.limit ?? .max))
    }
  }

  /// Whether the service is known to pass over one of the conditions.
  private func passesOver(_ criteria: Criteria) -> Bool {
    guard !client.said.withLock(\.isEmpty),
      let conditions = MatchedConditions<Model>(criteria, client.format)
    else { return false }
    return client.said.withLock { !$0.isDisjoint(with: conditions.names) }
  }

  /// Passes on a list page by page.
  ///
  /// It returns the metadata of the last page, and whether the list became longer in the meantime.
  ///
  /// - Throws: ``PassedOver`` for a part of which models do not match, unless it reads on: then it
  ///   reads from the beginning of the list until there are as many as are wanted.
  private func pages(
    _ route: HTTPFormat.Route, _ criteria: Criteria, isHeld: Bool, readsOn: Bool = false,
    _ take: (Response<[Model]>) async throws -> Void
  ) async throws -> ([String: any Sendable], hasGrown: Bool) {
    try check(criteria)
    if let contradiction = client.contradiction { throw contradiction }
    guard !criteria.isNever else { return ([:], false) }
    var pages: HTTPPages
    do {
      pages = try HTTPPages(route, criteria, client: client, readsOn: readsOn)
    } catch let error as HTTPError where isDoneHere(error) {
      let found = try await filteredHere(route, criteria, error: error)
      try await take(found)
      return (found.metadata, false)
    }
    let conditions = MatchedConditions<Model>(criteria, client.format)
    var leftOut = LeftOut()
    while true {
      let request = pages.request
      let (models, page) = try await self.page(request, isAtStart: pages.isAtStart, isHeld: isHeld)
      let part = matching(pages.wanted(of: models, on: page), conditions)
      guard part.leftOut.count == 0 || readsOn || !criteria.isPart else { throw PassedOver() }
      leftOut.add(page.leftOut)
      leftOut.add(part.leftOut)
      let size = isHeld ? page.answer.body.count : 0
      let goesOn = try pages.follow(page, holding: size, leftOut: part.leftOut.count)
      if !goesOn {
        try await checkEnd(of: models.value, pages, page: page, criteria: criteria, route: route)
        if criteria.limit == nil { warnOfUnseen(page) }
      }
      try await take(part.answer)
      guard !goesOn else { continue }
      var metadata = pages.metadata(page.metadata, of: page)
      leftOut.note(in: &metadata)
      return (metadata, pages.hasGrown)
    }
  }

  private func page(
    _ request: HTTPRequest, isAtStart: Bool, isHeld: Bool
  ) async throws -> (models: Response<[Model]>, page: HTTPPage) {
    let writes = known.writes
    // A list that is passed on page by page is not remembered either.
    let (answer, content) = try await read(request, isRemembered: isHeld) { answer in
      guard answer.isOtherwiseDone else {
        return try coding.list(
          of: Model.self, from: answer.body, mayBeEmpty: request.mayBeEmpty, isRead: true)
      }
      // A page behind the last one is empty; at the beginning of a list the status is an error.
      guard !isAtStart else { throw HTTPError(answer, of: request, by: client.format.refusals) }
      return Content(value: [])
    }
    // After a 304 the list is the earlier one, so tags that were learned since then are newer.
    if answer.remembered == nil {
      learn(content, of: request, writes: writes, isHeld: isHeld)
    }
    client.uuids.learn(from: content.value.first, in: answer.body)
    var page = self.page(
      of: content.value.count + content.leftOut.count,
      lastID: content.value.last.flatMap { try? idText(of: $0) },
      in: answer, found: content.found)
    page.leftOut = content.leftOut
    client.record(content.leftOut)
    let models = Response(
      content.value, metadata: page.metadata, versions: given(content.versions),
      absentKeys: content.absent)
    return (models, page)
  }

  /// Requests what the service can express, and applies the rest to the answer.
  private func filteredHere(
    _ route: HTTPFormat.Route, _ criteria: Criteria, error: HTTPError
  ) async throws -> Response<[Model]> {
    // Only the service knows which models have the words of a search, and in which order.
    if criteria.without(client.format.parameters).predicate?.isOpaque == true { throw error }
    var asked = Criteria()
    for part in criteria.predicate?.conjuncts ?? [] {
      let more = asked && Criteria(part)
      if (try? client.written(more)) != nil { asked = more }
    }
    let rest = criteria.without(client.format.parameters)
    guard asked != criteria, rest.predicate?.names(client.format.parameters) != true else {
      throw error
    }
    var all = try await list(route, asked)
    let found = try await InMemoryRepository<Model>(all.value).find(rest)
    all.metadata["totalCount"] = found.metadata["totalCount"]
    return all.keeping(found.value, of: all.value) { _ in found.value }
  }

  func isDoneHere(_ error: HTTPError) -> Bool {
    client.format.filtersHere && error.code == .unsupportedCriteria
  }

  /// Checks that the model has each key, as local stores do.
  ///
  /// A type whose properties are unknown is not checked; the service then reports a wrong key.
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
  /// Checks that the model in an answer has the id that was asked for.
  private func check(
    _ model: Model, has id: Criteria.Scalar, in answer: HTTPAnswer, to request: HTTPRequest
  ) throws {
    let identifier = (try? ModelSchema.of(Model.self))?.identifier
    guard identifier == client.format.identifierKey.name,
      let own = try? ModelID.scalar(of: model), idText(own) != idText(id)
    else { return }
    throw HTTPError(
      undecodable: answer, of: request, reason: "a model with another id", scope: nil)
  }

  /// Sends a read and decodes its answer, or takes the remembered value.
  private func read<Value: Sendable>(
    _ request: HTTPRequest, isRemembered: Bool = true,
    _ decoding: (HTTPAnswer) throws -> Content<Value>
  ) async throws -> (HTTPAnswer, Content<Value>) {
    let answer = try await client.send(request, remembering: isRemembered ? Value.self : nil)
    if let content = answer.remembered as? Content<Value> { return (answer, content) }
    let content = try decode(answer, of: request) { _ in try decoding(answer) }
    client.service.cache.remember(content, of: answer)
    return (answer, content)
  }

  /// Remembers a model that was read alone: one of few, and mostly whole.
  private func learn(
    _ model: Model, _ id: String, entry: RememberedModels.Entry, absent: Set<String>, writes: Int
  ) {
    var entry = entry
    if !absent.isEmpty { learn(absent: [absent]) }
    if !coding.optional.isEmpty || remembersModels() {
      remember(model, id, absent: absent, in: &entry)
    }
    known.read(id, entry, writes: writes)
  }

  /// Learns the versions of models in a list, and forgets the tags of those without one.
  func learn(
    _ content: Content<[Model]>, of request: HTTPRequest?, writes: Int, isHeld: Bool = true
  ) {
    if !content.absent.isEmpty { learn(absent: content.absent) }
    let remembers = remembersModels(of: isHeld)
    guard !content.versions.isEmpty || remembers || !known.isEmpty else { return }
    let last = content.last(RememberedModels.room)
    let list = RememberedModels.List(request, count: last.value.count) { [weak self] in
      self?.entries(of: last, remembers: remembers) ?? []
    }
    known.read(list, writes: writes)
  }

  private func entries(
    of content: Content<[Model]>, remembers: Bool
  ) -> [(id: String, entry: RememberedModels.Entry)] {
    let identity = ModelIdentity.of(Model.self)
    return content.value.indices.compactMap { index in
      let model = content.value[index]
      guard let scalar = try? ModelID.scalar(of: model, identity) else { return nil }
      let id = idText(scalar)
      var entry = RememberedModels.Entry()
      if !content.versions.isEmpty { entry.version = content.versions[index] }
      let absent = content.absent.isEmpty ? [] : content.absent[index]
      if remembers { remember(model, id, absent: absent, in: &entry) }
      return (id, entry)
    }
  }
}

extension HTTPRepository {
  /// Finds the models that match, and passes them on page by page.
  ///
  /// One page is in memory at a time. If a later page fails, the batches before it stay taken.
  ///
  /// - Parameters:
  ///   - criteria: The criteria.
  ///   - size: How many models a batch has at most.
  ///   - take: Takes a batch; the next one waits for it.
  /// - Returns: How many models there were, with the metadata of the last answer.
  /// - Throws: The errors of `find`, and those of `take`.
  @concurrent package func find(
    _ criteria: Criteria, inBatchesOf size: Int,
    _ take: @escaping @Sendable (Response<[Model]>) async throws -> Void
  ) async throws -> Response<Int> {
    if criteria.isPart, MatchedConditions<Model>(criteria, client.format) != nil {
      let part = try await list(routes.find, criteria)
      for batch in part.batches(of: size) { try await take(batch) }
      return part.map(\.count)
    }
    return try await reading {
      var count = 0
      let (metadata, _) = try await pages(routes.find, criteria, isHeld: false) { page in
        for batch in page.batches(of: size) { try await take(batch) }
        count += page.value.count
      }
      return Response(count, metadata: metadata)
    }
  }
}

extension HTTPRepository {
  /// The advice for a format that does not say where a list ends; nil for other formats.
  package var openEnd: String? {
    guard client.format.next == nil else { return nil }
    return
      "its format does not say where a list ends; write format.next = .never if the service "
      + "sends all in one answer, and otherwise how lists continue, such as .link"
  }
}

extension Criteria.Predicate {
  /// Whether the predicate compares one of these keys.
  func names(_ keys: Set<Criteria.Key>) -> Bool { self.keys.contains(where: keys.contains) }
}

extension Criteria {
  /// Returns the value that the key must equal, if the criteria have no other condition.
  fileprivate func onlyEquality(_ key: Key) -> Scalar? {
    guard offset == 0, cursor == nil, let conjuncts = predicate?.conjuncts, conjuncts.count == 1,
      case .comparison(key, .equal, let operand) = conjuncts.first, operand.value != .null
    else { return nil }
    return operand.value
  }

  /// Whether they have a limit or an offset, and no cursor.
  fileprivate var isPart: Bool { cursor == nil && (limit != nil || offset > 0) }

  /// Whether no model can match: the limit is 0, or a list of values is empty.
  var isNever: Bool {
    let isNone = predicate?.conjuncts.contains { part in
      if case .isIn(_, let values) = part { values.isEmpty } else { false }
    }
    return limit == 0 || isNone == true
  }

  /// The criteria without an order, which counting does not need.
  fileprivate var unsorted: Criteria {
    var criteria = self
    criteria.order = []
    return criteria
  }
}

/// The service passed over a condition of a part of a list, so the part is another one.
private struct PassedOver: Error {}
