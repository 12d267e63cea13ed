import Evocation
import Foundation

/// Sends the requests of one repository; it does not know the models.
final class HTTPClient: Sendable {
  let configuration: HTTPConfiguration
  private let address: HTTPAddress
  private let session: HTTPSession
  private let cache: ETagCache

  init(baseURL: URL, path: String, configuration: HTTPConfiguration) {
    self.configuration = configuration
    address = HTTPAddress(baseURL: baseURL, path: path)
    session = HTTPSession(configuration)
    cache = ETagCache(limit: configuration.rememberedResponseSize)
  }

  /// Makes the request of a route.
  func request(
    _ route: HTTPConfiguration.Route, id: String? = nil, query: [URLQueryItem] = [],
    body: Data? = nil, idempotencyKey: String? = nil
  ) throws(HTTPError) -> HTTPRequest {
    HTTPRequest(
      method: route.method,
      url: try address.url(route, id: id, query: query),
      body: body,
      idempotencyKey: idempotencyKey
    )
  }

  /// Sends a request, once more after a 401, and gives the answer if it is a success.
  ///
  /// With a type, decoded values are remembered by their `ETag`, and a 304 gives the earlier one.
  func send(_ request: HTTPRequest, remembering type: Any.Type? = nil) async throws -> HTTPAnswer {
    let answer = try await answer(to: request, remembering: type)
    guard answer.isSuccess else { throw HTTPError(answer, of: request) }
    return answer
  }

  /// Does the same, and gives the answer whatever its status is.
  func answer(
    to request: HTTPRequest, remembering type: Any.Type? = nil
  ) async throws -> HTTPAnswer {
    try Task.checkCancellation()
    var answer = try await attempt(request, .request, type)
    if answer.status == 401, configuration.authorization != nil {
      answer = try await attempt(request, .refusal, type)
    }
    return answer
  }

  /// Remembers the decoded value of an answer, to be used again after a 304.
  func remember(_ value: any Sendable, of answer: HTTPAnswer) {
    cache.remember(value, of: answer)
  }

  private func attempt(
    _ request: HTTPRequest, _ occasion: HTTPConfiguration.Occasion, _ type: Any.Type?
  ) async throws -> HTTPAnswer {
    var fields = HTTPFields()
    fields["Accept"] = "application/json"
    if request.body != nil { fields["Content-Type"] = "application/json" }
    for (name, value) in configuration.headers { fields[name] = value }
    if let key = request.idempotencyKey { fields["Idempotency-Key"] = key }
    if let tag = request.ifMatch { fields["If-Match"] = tag }
    if let credential = try await configuration.authorization?(occasion) {
      fields["Authorization"] = credential
    }
    guard let type, cache.isEnabled else {
      return try await session.answer(to: request, fields: fields)
    }
    let key = ETagCache.Key(
      url: request.url, authorization: fields["Authorization"], type: ObjectIdentifier(type)
    )
    let known = cache.entry(key)
    if let known { fields["If-None-Match"] = known.etag }
    var answer = try await session.answer(to: request, fields: fields)
    answer.key = key
    if let known, answer.status == 304 {
      answer.remembered = known.value
      answer.headers.merge(known.headers) { new, _ in new }
    }
    return answer
  }
}
