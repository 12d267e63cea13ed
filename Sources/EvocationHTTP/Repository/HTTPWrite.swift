import Evocation
import Foundation

/// One write: the requests that it takes, and the meaning of their answers and failures.
struct HTTPWrite<Model: Codable & Identifiable & Sendable> {
  enum Kind: Sendable {
    case store, update, storeOrUpdate, remove
  }

  let repository: HTTPRepository<Model>
  let kind: Kind
  /// The key of the whole write; a retry sends the same one.
  let key: String
  /// Whether a change names a version even if the caller does not.
  let isConditional: Bool
  /// The base of the write; nil if the caller did not set one, and for a write of several models.
  let base: WriteBase?
  /// The model as the app had it before; nil like the base.
  let held: Model?

  init(
    _ kind: Kind, _ repository: HTTPRepository<Model>, key: String? = nil, of count: Int = 1,
    isConditional: Bool = true
  ) {
    self.kind = kind
    self.isConditional = isConditional
    self.repository = repository
    self.key = key ?? IdempotencyKey.current ?? UUID().uuidString
    base = count == 1 ? WriteBase.current : nil
    held = count == 1 ? WriteBase.former as? Model : nil
  }

  /// Sends one model.
  func one(_ model: Model, _ route: HTTPFormat.Route) async throws -> Response<Model?> {
    try await one(model, route, key: key)
  }

  /// Changes a model, or adds it if the service does not have it.
  func updated(orStored model: Model) async throws -> Response<Model?> {
    let store = HTTPWrite(.store, repository, key: "\(key)-store")
    guard !isNew(model) else { return try await store.one(model, repository.routes.storeOne) }
    let updated = try await one(model, repository.routes.updateOne)
    guard updated.value == nil else { return updated }
    return try await store.one(model, repository.routes.storeOne)
  }

  /// Sends models in as few requests as the service and the length of an address allow.
  func each(
    _ models: [Model], bulk: HTTPFormat.Route?, one: HTTPFormat.Route
  ) async throws -> Response<[Model]> {
    let endpoint = bulk == nil ? format.batch : nil
    return try await each(models, bulk: bulk, length: endpoint?.size) { models, key in
      if let endpoint, models.count > 1 {
        try await inOne(models, one, endpoint: endpoint, key: key)
      } else {
        try await self.one(models[0], one, key: key).asList()
      }
    }
  }

  /// Sends models one after the other, unless there is a route for all of them.
  func each(
    _ models: [Model], bulk: HTTPFormat.Route?,
    one: (Model, _ key: String) async throws -> Response<Model?>
  ) async throws -> Response<[Model]> {
    try await each(models, bulk: bulk, length: nil) { models, key in
      try await one(models[0], key).asList()
    }
  }

  private func each(
    _ models: [Model], bulk: HTTPFormat.Route?, length: Int?,
    _ send: ([Model], _ key: String) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    let bulk = bulk.flatMap { givesBack($0, models) ? nil : $0 }
    let batches = models.batches(of: length ?? (bulk == nil ? 1 : max(1, bulk?.most ?? .max)))
    var done = Response<[Model]>([])
    for (index, batch) in batches.enumerated() {
      let key = batches.count == 1 ? key : "\(key)-\(index + 1)"
      do {
        // A single model has a separate request, so that the service cannot apply it to other models.
        if let bulk, batch.count > 1 || kind == .store {
          done.add(try await several(batch, bulk, key: key))
        } else {
          done.add(try await send(batch, key))
        }
      } catch let error as HTTPPartialError {
        throw error.after(
          repository.ids(batches[..<index].joined()),
          repository.ids(batches[(index + 1)...].joined())
        )
      } catch {
        guard index > 0, !(error is CancellationError) else { throw error }
        throw HTTPPartialError(
          done: repository.ids(batches[..<index].joined()),
          failed: repository.ids(batch),
          unsent: repository.ids(batches[(index + 1)...].joined()),
          underlying: error
        )
      }
    }
    return done
  }

  var format: HTTPFormat { repository.client.format }

  /// Whether a 404 to a request for one model means that there was nothing to change.
  var missingIsNil: Bool { kind == .update || kind == .remove }
}

extension HTTPWrite {
  /// Returns the request for one model, which has the key of the whole write.
  func request(_ model: Model, _ route: HTTPFormat.Route) async throws -> HTTPRequest? {
    try await request(model, route, key: key)
  }

  /// Returns the request for one model; nil if nothing differs from the service's model.
  ///
  /// `isChecked` says that the service has just been asked for the model, and has returned its version.
  func request(
    _ model: Model, _ route: HTTPFormat.Route, key: String, isChecked: Bool = false
  ) async throws -> HTTPRequest? {
    let id = route.namesModel ? try repository.idText(of: model) : nil
    var selection = selection(route, model)
    if givesBack(route, [model]) { selection.others = try await others(model, route) }
    if kind == .update || kind == .storeOrUpdate, let id = try? repository.idText(of: model) {
      var changed = route.sendsChanges ? changes(of: model, id) : nil
      if changed?.subtracting(selection.excluded).isEmpty == true {
        if kind == .update, !route.isByMethod { return nil }
        changed = nil
      }
      guard route.sendsChanges || selection.writesNulls || !mayLack(model) else {
        throw HTTPError(
          inPart: model, of: try repository.client.request(route, id: id, idempotencyKey: key),
          keys: lacking(model, id))
      }
      if route.sendsChanges || selection.writesNulls {
        selection.only = changed ?? read(model, id)
        // A property that became nil is sent as null.
        if selection.only != nil { selection.writesNulls = true }
        selection.nulls = dropped(by: model, id)
        selection.only?.formUnion(selection.nulls)
      }
    }
    let json = try json([model], [selection], route: route, asArray: route.sendsArray)
    var request = try repository.client.request(
      route, id: id, json: json, idempotencyKey: key, modelID: try? repository.idText(of: model))
    request.hasParts = format.items != nil
    let version = id.flatMap { id in
      self.version(of: model, id, route: route, at: request.url, isChecked: isChecked)
    }
    if let version { request.condition = format.version.condition(version) }
    return request
  }

  /// Takes the answer for one model.
  func answered(
    _ answer: HTTPAnswer, _ request: HTTPRequest, model: Model, route: HTTPFormat.Route
  ) throws -> Response<Model?> {
    var answer = answer
    if let parts = answer.eachModel(format.items), parts.count == 1 {
      answer = parts[0]
      (answer.url, answer.done) = (request.url, request.done)
    }
    answer.meaning = format.refusals.meaning(of: answer)
    if answer.isOfResult, !answer.isSuccess {
      // The write was performed, and its result is not there any more.
      (answer.status, answer.body, answer.meaning) = (204, Data(), nil)
    }
    let id = route.namesModel ? try repository.idText(of: model) : nil
    guard answer.isSuccess else {
      let current = current(in: answer, model, id: id, route: route, at: request.url)
      throw HTTPError(
        answer, of: request, by: format.refusals, current: current?.model,
        currentVersion: current?.version)
    }
    guard !answer.isOtherwiseDone else {
      repository.known.forget(written: repository.ids([model]))
      return Response(missingIsNil ? nil : model, metadata: answer.metadata)
    }
    try checkBody(of: answer, request)
    let content = try content(of: answer, request, model: model, route: route, id: id)
    guard let written = content.value else {
      repository.known.forget(written: repository.ids([model]))
      return Response(nil, metadata: answer.metadata)
    }
    let version = content.versions.first ?? nil
    // What the answer leaves out is what was sent.
    let whole = Rebasing.completed(written, under: content.absent.first ?? [], from: model)
    learn(version, answer, model: whole, id: id, at: request.url)
    return Response(
      whole, metadata: answer.metadata, versions: versions(version, answer, route: route))
  }

  /// Returns the written model: as the answer has it, or else as it was sent.
  ///
  /// An answer may have the id and the version, or some other keys, and not the whole model.
  private func content(
    of answer: HTTPAnswer, _ request: HTTPRequest, model: Model, route: HTTPFormat.Route,
    id: String?
  ) throws -> Content<Model?> {
    guard !answer.body.isEmpty, route.answersModels, route.answeredID == nil else {
      try check(answer, of: request)
      if let part = part(of: answer, model, route: route, isOpen: false) { return part }
      guard !needsID(model) else {
        throw HTTPError(
          undecodable: answer, of: request, reason: "no model, so its id is unknown",
          scope: .carriedOut)
      }
      return Content(value: model)
    }
    let content = try decoded(answer, of: request, removed: model) { body -> Content<Model?> in
      do {
        return try repository.coding.one(
          of: Model.self, from: body, id: id, mayBeEmpty: route.mayBeEmpty)
      } catch {
        guard let part = part(of: answer, model, route: route, isOpen: true) else { throw error }
        return part
      }
    }
    guard content.value != nil || missingIsNil else {
      throw HTTPError(
        undecodable: answer, of: request, reason: "no model", scope: .carriedOut)
    }
    return content
  }

  /// Returns the model as it was sent, with what an answer without a model says of it; nil for nothing.
  ///
  /// It must have the id if the service assigned it, or if it is to have models, and then also what only
  /// the service writes of a new model.
  private func part(
    of answer: HTTPAnswer, _ model: Model, route: HTTPFormat.Route, isOpen: Bool
  ) -> Content<Model?>? {
    var part = ContentShape.Part(isOpen: isOpen, place: route.answeredID)
    if isOpen, kind == .store { part.own = selection(route, model).excluded }
    if isOpen || needsID(model) { part.own.insert(format.identifierKey.name) }
    guard kind != .remove, !answer.body.isEmpty,
      let content = try? repository.coding.completed(model, by: answer.body, part: part),
      let written = content.value,
      needsID(model) || repository.ids([written]) == repository.ids([model])
    else { return nil }
    return content
  }

  private func one(
    _ model: Model, _ route: HTTPFormat.Route, key: String
  ) async throws -> Response<Model?> {
    guard var request = try await request(model, route, key: key) else {
      return Response(model, versions: unchangedVersions)
    }
    if route.onlyIfPresent, missingIsNil, request.condition == nil {
      let before = read(before: model)
      let found = try await repository.findOne(identity(model))
      guard found.value != nil else { return found }
      if let before { try checkUnchanged(found, since: before, of: request) }
      request = try await self.request(model, route, key: key, isChecked: true) ?? request
    }
    do {
      let answer = try await repository.client.answer(to: request)
      return try answered(
        try await located(answer, model, route: route), request, model: model, route: route)
    } catch let error as HTTPError {
      if error.status == nil {
        repository.known.doubt(try repository.idText(of: model), fields(of: model)?.valued ?? [])
      }
      return try await failed(error, request, model: model, route: route)
    }
  }

  /// Returns the answer to a write, with the new model that its `Location` names.
  ///
  /// If the service assigned the id, a 201 or 202 with `Location` and no body leads to a read of that
  /// address.
  private func located(
    _ answer: HTTPAnswer, _ model: Model, route: HTTPFormat.Route
  ) async throws -> HTTPAnswer {
    guard answer.body.isEmpty, [201, 202].contains(answer.status), needsID(model),
      let location = answer.headers["location"],
      let url = repository.client.following(location, answer)
    else { return answer }
    let read = HTTPRequest(method: "GET", url: url, path: route.path)
    do {
      var found = try await repository.client.send(read)
      found.url = answer.url
      return found
    } catch let error as HTTPError {
      // The write was performed, even though the new model could not be read.
      throw HTTPError(
        .undecodable, method: route.method, url: answer.url, status: answer.status,
        headers: answer.headers,
        reason: "no model, and Evocation cannot read the address that it names",
        underlying: error, failureScope: .carriedOut)
    }
  }

  /// Whether the service assigns the model's id, which the answer must then contain.
  func needsID(_ model: Model) -> Bool {
    (kind == .store || kind == .storeOrUpdate) && isNew(model)
  }

  /// Returns the models of a request as JSON; nil for a removal that sends none.
  func json(
    _ models: [Model], _ selections: [RequestSelection], route: HTTPFormat.Route, asArray: Bool
  ) throws -> Data? {
    guard kind != .remove || route.sendsIDs else { return nil }
    let coding = repository.coding
    return kind == .remove
      ? try coding.body(ids: models.map { try ModelID.scalar(of: $0) }, asArray: asArray)
      : try coding.body(Array(zip(models, selections)), asArray: asArray)
  }

  /// Decodes the answer to a write, which may not come from the service.
  ///
  /// - Models that decode are the service's, under any content type.
  /// - The service's answer to a removal is often the model, and often something else.
  /// - Any other answer of the service says that the write was performed.
  func decoded<Value>(
    _ answer: HTTPAnswer, of request: HTTPRequest, removed: Value,
    _ decode: (Data) throws -> Content<Value>
  ) throws -> Content<Value> {
    do {
      return try decode(answer.body)
    } catch {
      try check(answer, of: request)
      if kind == .remove { return Content(value: removed) }
      var undecodable = HTTPError(
        undecodable: answer, of: request, because: error, scope: .carriedOut)
      undecodable.isDoubtful =
        (try? JSONSerialization.jsonObject(with: answer.body, options: .fragmentsAllowed)) == nil
      throw undecodable
    }
  }

  /// Checks that an answer can be the service's.
  func check(_ answer: HTTPAnswer, of request: HTTPRequest) throws {
    guard repository.client.isSpoken(answer, to: request) else {
      var foreign = HTTPError(foreign: answer, of: request)
      foreign.isDoubtful = true
      throw foreign
    }
  }

  /// Returns which properties are sent.
  func selection(
    _ route: HTTPFormat.Route, _ model: Model
  ) -> RequestSelection {
    var selection = RequestSelection(writesNulls: route.writesNulls)
    selection.attributes = format.attributes
    selection.type = format.type?.replacingOccurrences(of: "{path}", with: repository.client.path)
    for (key, type) in format.relationships { selection.relationships[key.name] = type }
    selection.lowercasesUUIDs = repository.client.uuids.isLower
    selection.identifier = format.identifierKey.name
    selection.excluded = repository.unsentKeys.union(route.readOnlyKeys.lazy.map(\.name))
    // An id that has its own place in the request is repeated in the body if there is a type, as in
    // JSON:API, or if the body is the whole model.
    let isWhole = format.attributes == nil && !(kind == .update && route.sendsChanges)
    let isNamed = route.body?.namesID == true || route.namesModel && format.type == nil && !isWhole
    if isNamed || (kind == .store || kind == .storeOrUpdate && !route.namesModel) && isNew(model) {
      selection.excluded.insert(format.identifierKey.name)
    }
    return selection
  }

  /// Whether the service assigns the model's id.
  func isNew(_ model: Model) -> Bool {
    switch format.identifiers {
    case .client: false
    case .service: kind == .store
    case .placeholder(let isPlaceholder): repository.ids([model]).contains(where: isPlaceholder)
    }
  }
}

extension Array {
  /// Returns the elements in batches of a length, of which the last may be shorter.
  func batches(of length: Int) -> [[Element]] {
    stride(from: 0, to: count, by: Swift.max(1, length)).map {
      Array(self[$0..<Swift.min($0 + Swift.max(1, length), count)])
    }
  }
}
