public import Evocation
import Foundation

extension HTTPRepository {
  /// Whether ``HTTPFormat/changes`` describes how to ask the service for changes.
  public var listsChanges: Bool { client.format.changes != nil }

  /// Returns what changed and what was removed since a change token, by ``HTTPFormat/changes``.
  ///
  /// With a token (`mark`) Evocation does not send the conditions, and applies them itself. The service
  /// would not list a model that no longer matches, and a removed model has nothing that could match.
  ///
  /// Evocation reads all pages, and returns the token of the first one, so that it misses no change
  /// that happens while it reads. If the service answers 410, the token is too old, and Evocation asks
  /// for everything. The value is nil if the format has no ``HTTPFormat/changes``.
  @concurrent public func changes(
    _ criteria: Criteria, since mark: String?
  ) async throws -> Response<Changes<Model>?> {
    guard let changes = client.format.changes else { return Response(nil) }
    try check(criteria)
    let asked = mark == nil ? criteria : criteria.only(client.format.parameters)
    let items = mark.map { [URLQueryItem(name: changes.query, value: $0)] } ?? []
    let pages: HTTPPages
    do {
      pages = try HTTPPages(
        routes.find, asked, client: client, items: items, countsElements: mark == nil)
    } catch let error as HTTPError where isDoneHere(error) {
      return Response(nil)
    }
    do {
      let all = try await reading {
        try await listed(pages, changes, of: asked, since: mark)
      }
      guard mark != nil else { return all.map(Optional.some) }
      let matching = try await self.matching(all.value, criteria)
      return all.keeping(matching.models, of: all.value.models) { _ in
        matching as Changes<Model>?
      }
    } catch let error as HTTPError where error.status == 410 && mark != nil {
      return try await self.changes(criteria, since: nil)
    }
  }

  /// Returns the changes that concern the criteria, with models that do not match as removed.
  private func matching(
    _ changes: Changes<Model>, _ criteria: Criteria
  ) async throws -> Changes<Model> {
    let conditions = criteria.without(client.format.parameters)
    guard conditions.predicate != nil, let schema = try? ModelSchema.of(Model.self),
      schema.identifier != nil
    else { return changes }
    var present: [ModelID: Model] = [:]
    for (id, model) in zip(try ModelID.each(of: changes.models), changes.models) {
      present[id] = model
    }
    let found = try await InMemoryRepository<Model>(Array(present.values)).find(conditions).value
    for id in try ModelID.each(of: found) { present[id] = nil }
    var matching = changes
    matching.models = found
    matching.removed += present.values.compactMap { try? ModelID.scalar(of: $0) }
    return matching
  }

  private func listed(
    _ pages: HTTPPages, _ changes: HTTPFormat.ChangeList, of criteria: Criteria,
    since mark: String?
  ) async throws -> Response<Changes<Model>> {
    let isWhole = mark == nil
    let conditions = isWhole ? MatchedConditions<Model>(criteria, client.format) : nil
    var (pages, isFirst, leftOut) = (pages, true, LeftOut())
    var all = Changes<Model>([], mark: nil, isWhole: isWhole)
    var models = Response<[Model]>([])
    while true {
      let (answer, content) = try await self.changes(at: pages.request, changes)
      let listed = content.value
      if isFirst { all.mark = self.mark(in: answer, content, of: changes) }
      isFirst = false
      all.removed += listed.removed
      let page = self.page(
        of: listed.models.count + listed.removed.count + listed.leftOut.count,
        lastID: listed.models.last.flatMap { try? idText(of: $0) }, in: answer,
        found: content.found)
      let part = matching(
        Response(
          listed.models, metadata: page.metadata, versions: given(listed.versions),
          absentKeys: content.absent), conditions)
      leftOut.add(listed.leftOut)
      leftOut.add(part.leftOut)
      models.add(part.answer)
      if try pages.follow(page, holding: answer.body.count) { continue }
      if isWhole {
        try await checkEnd(
          of: listed.models, pages, page: page, criteria: criteria, route: routes.find)
      }
      // What changes while the pages are read comes again, and so does what cannot be read yet.
      var once = models.withoutRepeats
      leftOut.note(in: &once.metadata)
      all.models = once.value
      if !leftOut.places.isEmpty { all.mark = mark }
      return once.map { _ in all }
    }
  }

  /// Reads a page of changes.
  private func changes(
    at request: HTTPRequest, _ changes: HTTPFormat.ChangeList
  ) async throws -> (HTTPAnswer, Content<ShapedList<Model>>) {
    let writes = known.writes
    let answer = try await client.send(request)
    let content = try decode(answer, of: request) { body in
      try coding.changes(of: Model.self, from: body, changes: changes)
    }
    learn(
      Content(
        value: content.value.models, versions: content.value.versions, absent: content.absent),
      of: request, writes: writes)
    client.record(content.value.leftOut)
    return (answer, content)
  }

  /// Returns the next change token; if there is none, the log says so once.
  private func mark(
    in answer: HTTPAnswer, _ content: Content<ShapedList<Model>>, of changes: HTTPFormat.ChangeList
  ) -> String? {
    if let mark = answer.mark(changes.mark, content.found) { return mark }
    client.sayOnce(
      "unseen mark",
      "The service's list of changes of \(client.path) has no change token where "
        + "format.changes.mark says, so everything is fetched each time; check it.")
    return nil
  }
}

extension Criteria {
  /// The conditions that give parameters their values, and nothing else.
  fileprivate func only(_ parameters: Set<Key>) -> Criteria {
    let parts = (predicate?.conjuncts ?? []).filter { $0.isEquality(of: parameters) }
    return parts.isEmpty ? Criteria() : Criteria(.all(parts))
  }

  /// The criteria without the conditions that give parameters their values.
  func without(_ parameters: Set<Key>) -> Criteria {
    let parts = (predicate?.conjuncts ?? []).filter { !$0.isEquality(of: parameters) }
    var criteria = self
    criteria.predicate = parts.isEmpty ? nil : .all(parts)
    return criteria
  }
}

extension Criteria.Predicate {
  fileprivate func isEquality(of parameters: Set<Criteria.Key>) -> Bool {
    if case .parameter = self { return true }
    guard case .comparison(let key, .equal, _) = self else { return false }
    return parameters.contains(key)
  }
}

extension HTTPAnswer {
  /// Returns the next change token: a header field without the quotes of an entity tag, or a value.
  fileprivate func mark(
    _ mark: HTTPFormat.ChangeList.Mark, _ found: [String: String]
  ) -> String? {
    switch mark {
    case .key(let place): found[place]
    case .header(let name):
      headers[name.lowercased()].map { text in
        (text.hasPrefix("W/") ? text.dropFirst(2) : text[...])
          .trimmingCharacters(in: ["\"", " "])
      }
    }
  }
}
