import Evocation
import Foundation

extension HTTPWrite {
  /// Sends several models by a route for all of them.
  func several(
    _ models: [Model], _ route: HTTPFormat.Route, key: String
  ) async throws -> Response<[Model]> {
    let selections = models.map { selection(route, $0) }
    let json = try json(models, selections, route: route, asArray: true)
    let isByQuery = kind == .remove && !route.sendsIDs
    let query = isByQuery ? try removalQuery(models, route) : HTTPQuery()
    var request = try repository.client.request(
      route, query: query, json: json, idempotencyKey: key
    )
    request.hasParts = format.items != nil
    do {
      return try await taken(repository.client.send(request), request, models: models, route: route)
    } catch let error as HTTPError
      where missingIsNil && error.code == .notFound && error.status != 404 && models.count > 1
    {
      // By a rule of the format, one missing model refuses all of them. A 404 is about the path
      // instead.
      let write = HTTPWrite(
        kind, repository, key: "\(key)-each", of: models.count, isConditional: isConditional)
      return try await write.each(models, bulk: nil, one: repository.routes.one(kind))
    } catch let error as HTTPError where error.isDoubtful {
      var done = Response<[Model]>([])
      for model in models {
        done.add(try await performed(model, or: error).asList())
      }
      return done
    } catch let error as HTTPError {
      throw try await refusal(error, of: models)
    }
  }

  /// Takes the answer for several models.
  private func taken(
    _ answer: HTTPAnswer, _ request: HTTPRequest, models: [Model], route: HTTPFormat.Route
  ) async throws -> Response<[Model]> {
    repository.known.forget(written: repository.known.isEmpty ? [] : repository.ids(models))
    if answer.status == 207 || format.items != nil {
      guard let parts = answer.eachModel(format.items), parts.count == models.count else {
        throw format.refusals.refusal(answer, of: request) ?? unsaid(answer, request)
      }
      let sent = models.map { ($0, request) }
      return try await gathered(
        sent, parts, route: repository.routes.one(kind), metadata: answer.metadata)
    }
    try checkBody(of: answer, request)
    guard !answer.body.isEmpty, route.answersModels else {
      try check(answer, of: request)
      guard !models.contains(where: needsID) else { throw unsaid(answer, request) }
      return Response(models, metadata: answer.metadata)
    }
    var content = try decoded(answer, of: request, removed: models) { body in
      try repository.coding.list(of: Model.self, from: body)
    }
    if kind == .remove { return Response(content.value, metadata: answer.metadata) }
    content = inOrder(content, of: models)
    // What the answer leaves out is what was sent.
    let sent = Dictionary(
      zip(ModelID.all(of: models) ?? [], models), uniquingKeysWith: { _, last in last })
    content.value = UnsaidKeys(content.absent, of: content.value).completed(content.value) {
      ModelID.all(of: [$0])?.first.flatMap { sent[$0] }
    }
    content.absent = []
    repository.learn(content, of: nil, writes: repository.known.writes)
    return Response(
      content.value, metadata: answer.metadata,
      versions: repository.given(content.versions))
  }

  /// Returns the error of an answer that does not say what happened to each model.
  private func unsaid(_ answer: HTTPAnswer, _ request: HTTPRequest) -> HTTPError {
    HTTPError(
      undecodable: answer, of: request,
      reason: "no models, so Evocation does not know what became of each", scope: .carriedOut)
  }

  /// Returns the conditions of a removal, which must not be empty: it would concern all models.
  private func removalQuery(
    _ models: [Model], _ route: HTTPFormat.Route
  ) throws -> HTTPQuery {
    let query = try repository.client.written(identities(models), isOrdered: false)
    // The query must contain each id: a constant, such as the version of an interface, is no condition.
    // The quotes of a list are ignored.
    func bare(_ text: String) -> String { text.filter { !"\"'\\".contains($0) } }
    let texts = bare(query.items.map { $0.value ?? "" }.joined(separator: "\n"))
    guard try models.allSatisfy({ texts.contains(bare(try repository.idText(of: $0))) }) else {
      throw HTTPError(
        .unbounded, of: try repository.client.request(route),
        reason: "the query that removes \(models.count) models does not name each of them"
      )
    }
    return query
  }
}

extension HTTPWrite {
  /// Returns the models of an answer in the order in which they were sent, as far as the answer shows it.
  ///
  /// A service may answer in an order of its own. The id says which model is which, and if the service
  /// has assigned it, the values that were sent.
  private func inOrder(_ content: Content<[Model]>, of sent: [Model]) -> Content<[Model]> {
    guard sent.count > 1, content.value.count == sent.count else { return content }
    let answered = AnsweredModels(
      ids: repository.ids(content.value), fields: content.value.map { fields(of: $0) ?? Fields() })
    let ids = zip(sent, repository.ids(sent)).map { isNew($0) ? nil : $1 }
    let unsent = repository.unsentKeys.union([format.identifierKey.name])
    var places = answered.places(ofIDs: ids)
    if places.contains(nil) {
      let values = sent.indices.map { index in
        places[index] == nil && ids[index] == nil ? fields(of: sent[index]) : nil
      }
      answered.place(values, except: unsent, in: &places)
    }
    var rest = Set(sent.indices).subtracting(places.compactMap(\.self)).sorted()[...]
    let order = places.map { $0 ?? rest.popFirst() ?? 0 }
    return order == Array(sent.indices) ? content : content.picking(order)
  }
}

/// The models of an answer, which may have another order than those that were sent.
private struct AnsweredModels {
  let ids: [String]
  let fields: [Fields]

  /// Returns the place of the model with each id; nil if there is none, or none was sent.
  func places(ofIDs sent: [String?]) -> [Int?] {
    var known = Dictionary(zip(ids, ids.indices.map { [$0][...] })) { $0 + $1 }
    return sent.map { $0.flatMap { known[$0]?.popFirst() } }
  }

  /// Finds the models with the sent values, each for one of those that were sent.
  func place(_ sent: [Fields?], except unsent: Set<String>, in places: inout [Int?]) {
    var taken = Set(places.compactMap(\.self))
    let free = fields.indices.filter { !taken.contains($0) }
    // Models that were sent with values under the same keys have one table.
    var tables: [[String]: [[Field?]: ArraySlice<Int>]] = [:]
    let keys = sent.map { $0?.valued.subtracting(unsent).sorted() ?? [] }
    // One with few values fits what another was sent for.
    for index in sent.indices.sorted(by: { (keys[$1].count, $0) < (keys[$0].count, $1) }) {
      guard let fields = sent[index] else { continue }
      let keys = keys[index]
      if tables[keys] == nil {
        let values = free.map { place in keys.map { self.fields[place][$0] } }
        tables[keys] = Dictionary(zip(values, free.map { [$0] })) { $0 + $1 }
      }
      let values = keys.map { fields[$0] }
      while let place = tables[keys]?[values]?.popFirst() {
        guard taken.insert(place).inserted else { continue }
        places[index] = place
        break
      }
    }
  }
}

extension Content {
  /// Returns the models at some places, with what is known of each.
  fileprivate func picking<Model>(_ places: [Int]) -> Content where Value == [Model] {
    var picked = self
    picked.value = places.map { value[$0] }
    if !versions.isEmpty { picked.versions = places.map { versions[$0] } }
    if !absent.isEmpty { picked.absent = places.map { absent[$0] } }
    return picked
  }
}
