import Evocation

/// What the service has of a model and the model's type does not know, which a `PUT` would clear.
extension HTTPWrite {
  /// Whether a route would clear it.
  ///
  /// It would if an answer has had such keys. Before any answer was read, a model that the app had before
  /// may have them, as after a restart. A model that has no id yet has none.
  func givesBack(_ route: HTTPFormat.Route, _ models: [Model]) -> Bool {
    guard kind == .update || kind == .storeOrUpdate, route.replacesModel,
      let others = repository.coding.others, !models.allSatisfy(isNew)
    else { return false }
    return others.areThere ?? (base?.model != nil || held != nil)
  }

  /// Returns what the service has now under such keys of a model.
  ///
  /// - Throws: The error of the read; ``HTTPError/Code/misconfigured`` for a key that the format's encoder
  ///   would write as another one.
  func others(_ model: Model, _ route: HTTPFormat.Route) async throws -> [String: JSONValue] {
    guard let keys = repository.coding.others, let found = try await repository.object(of: model)
    else { return [:] }
    let kept = found.properties.filter { keys.isOne($0.key) }
    keys.record(!kept.isEmpty)
    let names = repository.client.names
    if let key = kept.keys.sorted().first(where: { names.name(ofCodingKey: $0) != $0 }) {
      throw HTTPError(unwritable: key, as: names.name(ofCodingKey: key))
    }
    return kept
  }
}

extension HTTPRepository {
  /// Returns the service's model as JSON; nil if it does not have it.
  fileprivate func object(of model: Model) async throws -> ModelObjects.Object? {
    let id = try idText(of: model)
    let route = routes.findOne ?? routes.find
    let query =
      route.hasID ? HTTPQuery() : try client.written(HTTPWrite(.update, self).identity(model))
    let request = try client.request(route, id: route.hasID ? id : nil, query: query)
    do {
      let answer = try await client.send(request)
      guard !answer.isOtherwiseDone else { return nil }
      let objects = try decode(answer, of: request) {
        Content(value: try coding.objects(in: $0, isList: !route.hasID))
      }.value
      return route.hasID ? objects.first : objects.first { $0.id == id }
    } catch let error as HTTPError where error.code == .notFound {
      return nil
    }
  }
}
