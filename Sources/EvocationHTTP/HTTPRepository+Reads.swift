public import Evocation
import Foundation

extension HTTPRepository: Repository {
  /// Asks for the models that match, by `GET path` and the criteria as a query.
  @concurrent public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await list(routes.find, criteria)
  }

  /// Asks for one model: by its id when the criteria are nothing but that, else for a list of one.
  @concurrent public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    let one = criteria.limit(min(criteria.limit ?? 1, 1))
    guard let route = routes.findOne else { return try await list(routes.find, one).first }
    guard route.namesModel else { return try await list(route, one).first }
    guard one.limit == 1, let id = criteria.onlyEquality(client.configuration.identifierKey) else {
      return try await list(routes.find, one).first
    }
    let request = try client.request(route, id: idText(id))
    do {
      return try await read(Model.self, request).map(Optional.some)
    } catch let error as HTTPError where error.code == .notFound {
      return Response(nil, metadata: ["status": error.status ?? 404, "headers": error.headers])
    }
  }

  private func list(
    _ route: HTTPConfiguration.Route, _ criteria: Criteria
  ) async throws -> Response<[Model]> {
    let query = try client.configuration.queryItems(for: criteria)
    return try await read([Model].self, client.request(route, query: query))
  }

  private func read<Value: Decodable & Sendable>(
    _ type: Value.Type, _ request: HTTPRequest
  ) async throws -> Response<Value> {
    let answer = try await client.send(request, remembering: type)
    if let value = answer.remembered as? Value {
      return Response(value, metadata: answer.metadata)
    }
    let value = try decode(type, answer, of: request)
    client.remember(value, of: answer)
    return Response(value, metadata: answer.metadata)
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
}
