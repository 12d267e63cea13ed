import Evocation
import Foundation

/// One write: which requests it takes, and what their answers and failures mean.
struct HTTPWrite<Model: Codable & Identifiable & Sendable> {
  let repository: HTTPRepository<Model>
  var isStore = false
  /// Whether a 404 to a request for one model means that there was nothing to change.
  var missingIsNil = false
  var isRemoval = false
  /// The key of the whole write; trying it again sends the same one.
  private let key = IdempotencyKey.current ?? UUID().uuidString

  init(
    repository: HTTPRepository<Model>, isStore: Bool = false, missingIsNil: Bool = false,
    isRemoval: Bool = false
  ) {
    self.repository = repository
    self.isStore = isStore
    self.missingIsNil = missingIsNil
    self.isRemoval = isRemoval
  }

  /// Sends one model.
  func one(_ model: Model, _ route: HTTPConfiguration.Route) async throws -> Response<Model?> {
    try await one(model, route, key)
  }

  /// Sends models in as few requests as the service and the length of an address allow.
  func each(
    _ models: [Model], bulk: HTTPConfiguration.Route?, one: HTTPConfiguration.Route
  ) async throws -> Response<[Model]> {
    let length = isRemoval ? max(1, client.configuration.identifiersPerRequest) : models.count
    let batches = models.batches(of: bulk == nil ? 1 : length)
    var done: [Model] = []
    var metadata: [String: any Sendable] = [:]
    for (index, batch) in batches.enumerated() {
      let key = batches.count == 1 ? key : "\(key)-\(index + 1)"
      do {
        let answer =
          if let bulk {
            try await several(batch, bulk, key)
          } else {
            try await self.one(batch[0], one, key).map { $0.map { [$0] } ?? [] }
          }
        done += answer.value
        metadata = answer.metadata
      } catch  where index > 0 && !(error is CancellationError) {
        throw HTTPPartialError(
          done: ids(batches[..<index].joined()),
          failed: ids(batch),
          unsent: ids(batches[(index + 1)...].joined()),
          underlying: error
        )
      }
    }
    return Response(done, metadata: metadata)
  }

  private var client: HTTPClient { repository.client }

  private func one(
    _ model: Model, _ route: HTTPConfiguration.Route, _ key: String
  ) async throws -> Response<Model?> {
    let body = isRemoval ? nil : try repository.coding.body([model], asArray: false, by: route)
    let id = route.namesModel ? try repository.idText(of: model) : nil
    var request = try client.request(route, id: id, body: body, idempotencyKey: key)
    request.ifMatch = id.flatMap { knownTag(of: $0, at: request.url) }
    do {
      let written = try await send(request, route, sent: model) { answer in
        learn(from: answer, model, id, at: request.url)
      } refused: { answer in
        current(in: answer, model, id, at: request.url)
      }
      return written.map(Optional.some)
    } catch let error as HTTPError where missingIsNil && id != nil && error.code == .notFound {
      repository.tags.wroteUntagged(ids([model]))
      return Response(nil, metadata: ["status": error.status ?? 404, "headers": error.headers])
    } catch let error as HTTPError
      where error.code == .preconditionFailed && request.ifMatch != nil && error.current == nil
    {
      return try await absence(id, error)
    } catch let error as HTTPError where isStore && error.code == .conflict {
      throw EvocationError.alreadyExists(ids([model]))
    }
  }

  private func several(
    _ models: [Model], _ route: HTTPConfiguration.Route, _ key: String
  ) async throws -> Response<[Model]> {
    let body = isRemoval ? nil : try repository.coding.body(models, asArray: true, by: route)
    let query = isRemoval ? try client.configuration.queryItems(for: identities(models)) : []
    let request = try client.request(route, query: query, body: body, idempotencyKey: key)
    do {
      return try await send(request, route, sent: models) { _ in
        repository.tags.wroteUntagged(repository.tags.isEmpty ? [] : ids(models))
      }
    } catch let error as HTTPError where isStore && error.code == .conflict {
      throw EvocationError.alreadyExists(try await present(models))
    }
  }

  private func send<Value: Decodable & Sendable>(
    _ request: HTTPRequest, _ route: HTTPConfiguration.Route, sent: Value,
    learn: (HTTPAnswer) -> Void, refused: (HTTPAnswer) -> Model? = { _ in nil }
  ) async throws -> Response<Value> {
    let answer = try await client.answer(to: request)
    guard answer.isSuccess else {
      throw HTTPError(answer, of: request, current: refused(answer))
    }
    learn(answer)
    let saysNothing = answer.body.isEmpty || !route.answersModels
    let value = saysNothing ? sent : try repository.decode(Value.self, answer, of: request)
    return Response(value, metadata: answer.metadata)
  }

  private func identities(_ models: [Model]) throws -> Criteria {
    Criteria(.isIn(client.configuration.identifierKey, try models.map(ModelID.scalar)))
  }

  /// The ids of the models that conflict: those that are there already, and those given twice.
  private func present(_ models: [Model]) async throws -> [String] {
    let batches = models.batches(of: max(1, client.configuration.identifiersPerRequest))
    var held: Set<Model.ID> = []
    do {
      for batch in batches {
        held.formUnion(try await repository.find(identities(batch)).value.map(\.id))
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return ids(models)  // the conflict matters more than why the service did not say which
    }
    let repeated = Dictionary(grouping: models, by: \.id).filter { $1.count > 1 }
    var seen: Set<Model.ID> = []
    let named = models.filter {
      (held.contains($0.id) || repeated[$0.id] != nil) && seen.insert($0.id).inserted
    }
    return ids(named.isEmpty ? models : named)
  }

  private func ids(_ models: some Sequence<Model>) -> [String] {
    models.map { (try? repository.idText(of: $0)) ?? "\($0.id)" }
  }
}

extension Array {
  /// The elements in batches of a length, of which the last may be shorter.
  fileprivate func batches(of length: Int) -> [[Element]] {
    stride(from: 0, to: count, by: Swift.max(1, length)).map {
      Array(self[$0..<Swift.min($0 + length, count)])
    }
  }
}

extension HTTPWrite {
  /// The tag to send as `If-Match`; none for a store or an upsert, which do not depend on a
  /// version.
  private func knownTag(of id: String, at url: URL) -> String? {
    guard missingIsNil, client.configuration.sendsIfMatch else { return nil }
    return repository.tags.tag(of: id, at: url)
  }

  /// Remembers which version the service has now.
  private func learn(from answer: HTTPAnswer, _ model: Model, _ id: String?, at url: URL) {
    guard let id, !isRemoval else { return repository.tags.wroteUntagged(ids([model])) }
    repository.tags.wrote(id, at: url, answer)
  }

  /// The service's model in the answer to a conflict; who is given it has read it, with its tag.
  private func current(
    in answer: HTTPAnswer, _ model: Model, _ id: String?, at url: URL
  ) -> Model? {
    guard [409, 412].contains(answer.status),
      let current = try? repository.coding.decode(Model.self, from: answer.body),
      current.id == model.id
    else { return nil }
    if let id { repository.tags.wrote(id, at: url, answer) }
    return current
  }

  /// Finds out after a 412 whether the model is gone, and gives nil if so.
  ///
  /// - Throws: The error of the 412, when the service has another version or does not say. The tag
  ///   stays, so that the model must be read before it can be changed.
  private func absence(_ id: String?, _ error: HTTPError) async throws -> Response<Model?> {
    guard let id, let route = repository.routes.findOne, route.namesModel else { throw error }
    do {
      _ = try await client.send(client.request(route, id: id))
    } catch let missing as HTTPError where missing.code == .notFound {
      repository.tags.wroteUntagged([id])
      let status = missing.status ?? 404
      return Response(nil, metadata: ["status": status, "headers": missing.headers])
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The refusal matters more than why the model could not be looked up.
    }
    throw error
  }
}
