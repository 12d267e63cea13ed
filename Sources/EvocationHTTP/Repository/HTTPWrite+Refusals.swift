import Evocation
import Foundation

// What the refusal of a write means: nothing to change, a model that exists already, or an error.
extension HTTPWrite {
  /// Returns what an error for one model means, or throws it.
  func failed(
    _ error: HTTPError, _ request: HTTPRequest, model: Model, route: HTTPFormat.Route
  ) async throws -> Response<Model?> {
    let id = route.namesModel ? try repository.idText(of: model) : nil
    if error.isDoubtful { return try await performed(model, or: error) }
    switch error.code {
    case .notFound where missingIsNil && id != nil:
      repository.known.forget(written: repository.ids([model]))
      return Response(nil, metadata: ["status": error.status ?? 404, "headers": error.headers])
    case .preconditionFailed where request.condition == .absent:
      throw EvocationError.alreadyExists(repository.ids([model]))
    case .preconditionFailed
    where request.condition != nil && error.current == nil && missingIsNil:
      return try await absence(id, error)
    default:
      throw try await refusal(error, of: [model])
    }
  }

  /// Checks that the body of a success does not say that the service refused the write.
  func checkBody(of answer: HTTPAnswer, _ request: HTTPRequest) throws {
    let isBare = format.envelope.place(isList: false).isEmpty
    let own: (String) -> Bool = { name in
      let properties = (try? ModelSchema.of(Model.self))?.properties ?? []
      return isBare
        && properties.contains { repository.client.names.name(ofCodingKey: $0.name) == name }
    }
    guard answer.saysRefusal(except: own) else { return }
    var error = HTTPError(answer, of: request, by: format.refusals, code: .client)
    error.isDoubtful = true
    throw error
  }

  /// Returns the model of a write that the service has performed, although its answer did not say so.
  ///
  /// The service is asked for the model, and there are four cases:
  ///
  /// 1. It has what was sent, or no longer has what was removed: the write was performed.
  /// 2. It has something else: the error stands.
  /// 3. It cannot be asked now, or not with this credential: the error may pass, and the write is sent again
  ///    later.
  /// 4. The model has no id yet to ask by: the error stands.
  ///
  /// - Throws: The error.
  func performed(_ model: Model, or doubt: HTTPError) async throws -> Response<Model?> {
    var refusal = doubt
    refusal.isDoubtful = false
    guard !needsID(model), let criteria = try? identity(model),
      let id = try? repository.idText(of: model)
    else { throw refusal }
    let keys = changes(of: model, id) ?? Set(fields(of: model)?.names ?? [])
    let found: Response<Model?>
    do {
      found = try await repository.findOne(criteria)
    } catch let failure as HTTPError
      where failure.failureKind == .transient || failure.status == 401
    {
      throw HTTPError(
        .undecodable, method: doubt.method, url: doubt.url, status: doubt.status,
        body: doubt.body, headers: doubt.headers, reason: doubt.reason ?? "a refusal",
        underlying: failure, message: doubt.message, fields: doubt.fields, failureScope: .service)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw refusal
    }
    guard kind != .remove else {
      guard found.value == nil else { throw refusal }
      repository.known.forget(written: [id])
      return Response(model, metadata: found.metadata)
    }
    guard let present = fields(of: found.value), let sent = fields(of: model),
      keys.subtracting(repository.unsentKeys).allSatisfy({ present[$0] == sent[$0] })
    else { throw refusal }
    return found
  }

  /// Returns the error of a refused write: that models exist already, or what the service said.
  ///
  /// The conflict of a new model may be about its id, but also about another property, a model that it
  /// refers to, or its type. So the service is asked which of the models it has. Models with one id
  /// conflict with each other.
  func refusal(_ error: HTTPError, of models: [Model]) async throws -> any Error {
    guard kind == .store, error.failureKind == .conflict else { return error }
    let ids = try ModelID.each(of: models)
    var conflicting: Set<ModelID> = []
    do {
      conflicting = try await error.current == nil ? present(models) : Set(ids)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The refusal matters more than the reason why the service did not say what it has.
    }
    let counts = ids.reduce(into: [ModelID: Int]()) { $0[$1, default: 0] += 1 }
    conflicting.formUnion(counts.filter { $0.value > 1 }.keys)
    let named = zip(models, ids).filter { _, id in conflicting.remove(id) != nil }.map(\.0)
    guard named.isEmpty else { return EvocationError.alreadyExists(repository.ids(named)) }
    return error.code == .alreadyExists ? error.ofOtherConflict : error
  }

  /// Returns the ids that the service has; it does not have those that it has yet to assign.
  private func present(_ models: [Model]) async throws -> Set<ModelID> {
    let named = models.filter { !isNew($0) }
    if named.count == 1, let model = named.first {
      let found = try await repository.findOne(identity(model)).value
      return try Set(ModelID.each(of: found.map { [$0] } ?? []))
    }
    var present: Set<ModelID> = []
    for batch in named.batches(of: max(1, repository.routes.remove?.most ?? 100)) {
      present.formUnion(try ModelID.each(of: try await repository.find(identities(batch)).value))
    }
    return present
  }

  /// Returns the criteria that one model alone meets.
  func identity(_ model: Model) throws -> Criteria {
    Criteria(.comparison(format.identifierKey, .equal, .init(try ModelID.scalar(of: model))))
  }

  /// Returns the criteria that only these models meet.
  func identities(_ models: [Model]) throws -> Criteria {
    Criteria(.isIn(format.identifierKey, try models.map(ModelID.scalar)))
  }

  /// Finds out after a 412 whether the model no longer exists, and returns nil if so.
  ///
  /// - Throws: The error of the 412, if the service has another version or does not say. The remembered
  ///   tag stays, so that the model must be read before it can be changed.
  private func absence(_ id: String?, _ error: HTTPError) async throws -> Response<Model?> {
    guard let id, let route = repository.routes.findOne, route.namesModel else { throw error }
    do {
      let request = try repository.client.request(route, id: id)
      let answer = try await repository.client.send(request)
      let isEmpty =
        try request.mayBeEmpty
        && repository.coding.one(of: Model.self, from: answer.body, id: id, mayBeEmpty: true).value
          == nil
      if isEmpty {
        repository.known.forget(written: [id])
        return Response(nil, metadata: answer.metadata)
      }
    } catch let missing as HTTPError where missing.code == .notFound {
      repository.known.forget(written: [id])
      let status = missing.status ?? 404
      return Response(nil, metadata: ["status": status, "headers": missing.headers])
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The refusal matters more than the reason why the model could not be read.
    }
    throw error
  }
}

extension HTTPError {
  /// The same error for a service that does not have the model: the conflict is about something else.
  fileprivate var ofOtherConflict: HTTPError {
    HTTPError(
      .conflict, method: method, url: url, status: status, body: body, headers: headers,
      retryAfter: retryAfter, reason: reason, underlying: underlying, message: message,
      fields: fields)
  }
}
