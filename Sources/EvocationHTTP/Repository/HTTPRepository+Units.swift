package import Evocation

/// Writes that are sent together, if the service's batch endpoint performs all of them or none.
extension HTTPRepository {
  /// The size of ``HTTPFormat/batch`` if the batch is atomic, otherwise 0.
  package var unitSize: Int {
    guard let batch = client.format.batch, batch.isAtomic else { return 0 }
    return batch.size
  }

  /// Prepares a write by the route for one model.
  ///
  /// - Returns: Nil for a model that gets its id from the service, because other writes may refer to
  ///   that id. Also nil for a `storeOrUpdate` if ``HTTPFormat/Routes/storeOrUpdateOne`` is nil.
  package func prepare(
    _ kind: Outbox.EntryKind, _ model: Model
  ) async throws -> PreparedWrite<Model>? {
    let write = HTTPWrite(HTTPWrite.Kind(kind), self)
    guard !write.isNew(model), let route = routes.route(write.kind) else { return nil }
    let request = try await write.request(model, route)
    return PreparedWrite(request: request) { answer in
      guard let request, let answer = answer as? HTTPAnswer else {
        return Response(model, versions: write.unchangedVersions)
      }
      // The service did not perform it, because it refused another one.
      guard answer.status != 424 else {
        throw HTTPError(
          .client, method: request.method, url: request.url, status: 424, failureScope: .service)
      }
      return try await write.taken(answer, request, model: model, route: route)
    }
  }

  /// Sends the requests to the batch endpoint.
  ///
  /// A model that does not differ from the service's has no request, and is skipped.
  @concurrent package func send(_ requests: [any Sendable]) async throws -> [any Sendable] {
    let sent = requests.compactMap { $0 as? HTTPRequest }
    guard !sent.isEmpty, let batch = client.format.batch else { return requests }
    var answers = try await exchange(sent, batch, key: nil).0[...]
    return requests.map { $0 is HTTPRequest ? answers.popFirst() ?? $0 : $0 }
  }
}

extension HTTPWrite.Kind {
  init(_ kind: Outbox.EntryKind) {
    self =
      switch kind {
      case .store: .store
      case .update: .update
      case .storeOrUpdate: .storeOrUpdate
      case .remove: .remove
      }
  }
}

extension HTTPFormat.Routes {
  /// Returns the route of a write of one model.
  func route<Model>(_ kind: HTTPWrite<Model>.Kind) -> HTTPFormat.Route? {
    switch kind {
    case .store: storeOne
    case .update: updateOne
    case .storeOrUpdate: storeOrUpdateOne
    case .remove: removeOne
    }
  }

  /// Returns the same route, or that of an update if the service has none that adds or replaces.
  func one<Model>(_ kind: HTTPWrite<Model>.Kind) -> HTTPFormat.Route { route(kind) ?? updateOne }
}
