import Evocation
import Foundation

extension HTTPWrite {
  /// Sends several models in one request to the batch endpoint, with a separate part for each.
  ///
  /// - Throws: `HTTPPartialError` if some of them failed and others did not.
  func inOne(
    _ models: [Model], _ route: HTTPFormat.Route, endpoint: HTTPFormat.Batch,
    key: String
  ) async throws -> Response<[Model]> {
    var sent: [(Model, HTTPRequest)] = []
    for (index, model) in models.enumerated() {
      let request = try await request(model, route, key: "\(key)-\(index + 1)")
      if let request { sent.append((model, request)) }
    }
    guard !sent.isEmpty else { return Response(models) }
    let (answers, metadata) = try await repository.exchange(sent.map(\.1), endpoint, key: key)
    return try await gathered(sent, answers, route: route, metadata: metadata)
  }

  /// Returns what happened to several models, by the answers to each.
  ///
  /// - Throws: `HTTPPartialError` if some of them failed and others did not.
  func gathered(
    _ sent: [(Model, HTTPRequest)], _ answers: [HTTPAnswer], route: HTTPFormat.Route,
    metadata: [String: any Sendable]
  ) async throws -> Response<[Model]> {
    var done: [Model] = []
    var answered = Response<[Model]>([])
    var failed: [(Model, any Error)] = []
    for ((model, request), answer) in zip(sent, answers) {
      do {
        answered.add(try await taken(answer, request, model: model, route: route).asList())
        done.append(model)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failed.append((model, error))
      }
    }
    // A 424 only says that another one was refused.
    guard let first = failed.first(where: { ($0.1 as? HTTPError)?.status != 424 }) ?? failed.first
    else {
      answered.metadata = metadata
      return answered
    }
    guard !done.isEmpty else { throw first.1 }
    throw HTTPPartialError(
      done: repository.ids(done), failed: repository.ids(failed.map(\.0)), unsent: [],
      underlying: first.1
    )
  }

  /// Takes one answer of a batch.
  func taken(
    _ answer: HTTPAnswer, _ request: HTTPRequest, model: Model, route: HTTPFormat.Route
  ) async throws -> Response<Model?> {
    var answer = answer
    answer.url = request.url
    answer.done = request.done
    do {
      return try answered(answer, request, model: model, route: route)
    } catch let error as HTTPError {
      return try await failed(error, request, model: model, route: route)
    }
  }
}

extension HTTPRepository {
  /// Sends several requests in one to the batch endpoint, and returns the answer to each.
  ///
  /// Requests whose credential the service refused are sent once more, with another one. Of an atomic
  /// batch all are, because the service has performed none of them.
  func exchange(
    _ requests: [HTTPRequest], _ endpoint: HTTPFormat.Batch, key: String?,
    by credential: String?? = nil
  ) async throws -> ([HTTPAnswer], metadata: [String: any Sendable]) {
    var outer = try client.request(
      HTTPFormat.Route("POST", endpoint.path), body: body(requests, endpoint),
      idempotencyKey: key
    )
    outer.hasParts = true
    let answer = try await client.send(outer, by: credential)
    guard var answers = answer.parts(at: endpoint.responses, HTTPFormat.Items()),
      answers.count == requests.count
    else { throw unreadable(answer, of: outer, by: endpoint, count: requests.count) }
    for index in answers.indices {
      answers[index].meaning = client.format.refusals.meaning(of: answers[index])
      (answers[index].isForeign, answers[index].credential) = (answer.isForeign, answer.credential)
    }
    let refused = answers.indices.filter { answers[$0].refusesCredential }
    if let first = refused.first, credential == nil,
      let renewed = try await client.renew(after: answers[first], of: outer)
    {
      let again = endpoint.isAtomic ? Array(answers.indices) : refused
      let key = key.map { "\($0)-renewed" }
      let (second, _) = try await exchange(
        again.map { requests[$0] }, endpoint, key: key, by: .some(renewed))
      for (index, answer) in zip(again, second) { answers[index] = answer }
    }
    return (answers, answer.metadata)
  }

  /// Returns the error of an answer that does not have one part for each request.
  private func unreadable(
    _ answer: HTTPAnswer, of outer: HTTPRequest, by endpoint: HTTPFormat.Batch, count: Int
  ) -> HTTPError {
    if let refusal = client.format.refusals.refusal(answer, of: outer) { return refusal }
    guard client.isSpoken(answer, to: outer) else { return HTTPError(foreign: answer, of: outer) }
    return HTTPError(
      .undecodable, method: outer.method, url: outer.url, status: answer.status,
      reason: "another number of \"\(endpoint.responses)\" than the \(count) requests"
    )
  }

  /// Returns the requests as JSON, in which their own bodies are unchanged.
  private func body(
    _ requests: [HTTPRequest], _ endpoint: HTTPFormat.Batch
  ) throws -> Data {
    let parts = try requests.map { request in
      var headers = request.headers
      if let condition = request.condition { headers[condition.field] = condition.value }
      if let field = request.keyField {
        headers[field] = request.idempotencyKey
      }
      let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
      let path = request.url.path(percentEncoded: true) + query
      let head = BatchHead(method: request.method, path: path, headers: headers)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      var text = String(decoding: try encoder.encode(head), as: UTF8.self)
      if let body = request.body {
        text = text.dropLast() + ",\"body\":\(String(decoding: body, as: UTF8.self))}"
      }
      return text
    }
    let name = String(decoding: try JSONEncoder().encode(endpoint.requests), as: UTF8.self)
    return Data("{\(name):[\(parts.joined(separator: ","))]}".utf8)
  }
}

/// One request of a batch, without its body.
private struct BatchHead: Encodable {
  var method: String
  var path: String
  var headers: [String: String]
}

extension HTTPAnswer {
  /// Returns the answers to the parts of a request, in their order; nil if the body has none.
  ///
  /// - Parameters:
  ///   - key: The key of the array that has them; nil for the body itself, or the only array in it.
  ///   - items: The keys of a part.
  /// - Returns: The answers.
  func parts(at key: String?, _ items: HTTPFormat.Items) -> [HTTPAnswer]? {
    let json = try? JSONSerialization.jsonObject(with: body)
    var list = json as? [Any]
    if let object = json as? [String: Any] {
      let arrays = key.map { [JSONPlace.value(object, at: $0) ?? []] } ?? Array(object.values)
      let lists = arrays.compactMap { $0 as? [Any] }
      list = lists.count == 1 ? lists[0] : nil
    }
    guard let list else { return nil }
    let parts = list.compactMap { Self.part($0, items) }
    return parts.count == list.count ? parts : nil
  }

  private static func part(_ part: Any, _ items: HTTPFormat.Items) -> HTTPAnswer? {
    guard let part = part as? [String: Any],
      let status = JSONPlace.value(part, at: items.status) as? Int
    else { return nil }
    var headers: [String: String] = [:]
    for (name, value) in part["headers"] as? [String: Any] ?? [:] {
      headers[name.lowercased()] = "\(value)"
    }
    var body = Data()
    switch JSONPlace.value(part, at: items.body) ?? part {
    case is NSNull: break
    case let text as String: body = Data(text.utf8)
    case let json:
      let data = try? JSONSerialization.data(
        withJSONObject: json, options: [.fragmentsAllowed, .withoutEscapingSlashes])
      body = data ?? Data()
    }
    return HTTPAnswer(status: status, headers: headers, body: body)
  }

  /// Returns the results of single models in an answer for several; nil if it has none.
  func eachModel(_ items: HTTPFormat.Items?) -> [HTTPAnswer]? {
    guard status == 207 || items != nil else { return nil }
    return parts(at: nil, items ?? HTTPFormat.Items())
  }
}
