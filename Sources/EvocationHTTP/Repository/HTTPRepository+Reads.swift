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
    guard one.limit == 1, let id = criteria.onlyEquality(client.configuration.identifierKey) else {
      return try await list(routes.find, one).first
    }
    let text = try idText(id)
    let request = try client.request(route, id: text)
    let writes = tags.writes
    do {
      let found = try await read(Model.self, request) { _, answer in
        tags.read(text, at: request.url, answer, writes: writes)
      }
      return found.map(Optional.some)
    } catch let error as HTTPError where error.code == .notFound {
      tags.forget([text])
      return Response(nil, metadata: ["status": error.status ?? 404, "headers": error.headers])
    }
  }

  /// Counts the models, by the number in an answer where the configuration says where it is.
  ///
  /// It then asks for one model. Without such a number, or with a cursor, it fetches all models.
  @concurrent public func count(_ criteria: Criteria) async throws -> Int {
    guard let total = client.configuration.total, criteria.cursor == nil else {
      return try await find(criteria).value.count
    }
    let one = criteria.offset(0).limit(1)
    let query = try client.configuration.queryItems(for: one)
    let answer = try await client.send(client.request(routes.find, query: query))
    guard let count = answer.total(total) else { return try await find(criteria).value.count }
    let rest = max(0, count - min(count, max(0, criteria.offset)))
    return min(rest, max(0, criteria.limit ?? rest))
  }

  private func list(
    _ route: HTTPConfiguration.Route, _ criteria: Criteria
  ) async throws -> Response<[Model]> {
    let query = try client.configuration.queryItems(for: criteria)
    return try await read([Model].self, client.request(route, query: query)) { models, answer in
      // After a 304 the list is the earlier one, so tags that were learned since then are newer.
      if answer.remembered == nil { forgetTags(of: models) }
    }
  }

  private func read<Value: Decodable & Sendable>(
    _ type: Value.Type, _ request: HTTPRequest, learn: (Value, HTTPAnswer) -> Void
  ) async throws -> Response<Value> {
    let answer = try await client.send(request, remembering: type)
    if let value = answer.remembered as? Value {
      learn(value, answer)
      return Response(value, metadata: answer.metadata)
    }
    let value = try decode(type, answer, of: request)
    client.remember(value, of: answer)
    learn(value, answer)
    return Response(value, metadata: answer.metadata)
  }
}

extension HTTPAnswer {
  /// How many models match in all; nil where the answer does not say.
  fileprivate func total(_ total: HTTPConfiguration.Total) -> Int? {
    let count: Int?
    switch total {
    case .header(let name):
      count = headers[name.lowercased()].flatMap { Int($0) }
    case .key(let path):
      let object = try? JSONSerialization.jsonObject(with: body)
      let value = path.split(separator: ".").reduce(object) { object, key in
        (object as? [String: Any])?[String(key)]
      }
      count = value as? Int
    }
    return count.flatMap { $0 < 0 ? nil : $0 }
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
