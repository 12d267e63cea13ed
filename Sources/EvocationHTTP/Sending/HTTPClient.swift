import Evocation
import Foundation

/// Sends the requests of one repository; it does not know the models.
///
/// A request that ``request(_:id:query:body:idempotencyKey:)`` has made takes these steps:
///
/// 1. ``send(_:remembering:by:)`` requires that the answer is a success.
/// 2. ``answer(to:remembering:)`` asks the app for a credential, and for another one after a 401.
/// 3. `attempt` adds the header fields and the `ETag` of a remembered answer.
/// 4. `follow` sends the request to the service, and then to each address to which it is redirected.
/// 5. ``HTTPExchange`` waits for the limits, sends one message, and reads its answer in time.
final class HTTPClient: Sendable {
  let service: HTTPService
  let format: HTTPFormat
  /// The path of the models at the service.
  let path: String
  let address: HTTPAddress
  let names: KeyNames
  /// The contradiction in the format, in the service's configuration, or between the two coders.
  var contradiction: HTTPError? {
    if let known = contradicted.withLock({ $0 }) { return known.error }
    let error =
      format.contradiction(with: service)
      ?? names.lost(codingKeys, by: format.decoder()).map { HTTPError(lost: $0) }
    contradicted.withLock { $0 = Contradiction(error: error) }
    return error
  }

  /// What was found out at the first request, because an app makes many repositories when it starts.
  private let contradicted = Lock<Contradiction?>(nil)
  private let codingKeys: [String]

  private struct Contradiction: Sendable {
    let error: HTTPError?
  }

  /// What is known about the ends of the service's lists.
  let ends = Lock(ListEnds())
  /// What was said once in the log: the conditions that the service passes over, and more.
  let said = Lock<Set<String>>([])
  let uuids: UUIDCase
  /// Whether the models' ids are numbers.
  let hasNumericIDs: Bool
  private let id = UUID()

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - path: The path of the models.
  ///   - format: The way in which the service writes them.
  ///   - codingKeys: The coding keys of the models and of the objects in them.
  ///   - hasNumericIDs: Whether the models' ids are numbers.
  ///   - codingPath: Returns the coding keys that a key of criteria leads to.
  init(
    _ service: HTTPService, _ path: String, format: HTTPFormat, codingKeys: [String],
    hasNumericIDs: Bool, codingPath: @escaping @Sendable (Criteria.Key) -> [String]?
  ) {
    self.service = service
    self.format = format
    (self.path, self.hasNumericIDs) = (path, hasNumericIDs)
    address = HTTPAddress(baseURL: service.baseURL, path: path)
    names = KeyNames(encoder: format.encoder) { [id = format.identifierKey] key in
      key == id ? [key.name] : codingPath(key)
    }
    self.codingKeys = codingKeys
    uuids = UUIDCase(format.lowercasesUUIDs)
  }

  /// Sends a request, once more after a 401, and returns the answer if it is a success.
  ///
  /// With a type, the client remembers decoded values by their `ETag`, and a 304 returns the earlier
  /// value. A given credential is used as it is.
  func send(
    _ request: HTTPRequest, remembering type: Any.Type? = nil, by credential: String?? = nil
  ) async throws -> HTTPAnswer {
    let answer =
      if let credential { try await attempt(request, credential, type: type) } else {
        try await answer(to: request, remembering: type)
      }
    guard answer.isSuccess else {
      throw HTTPError(answer, of: request, by: format.refusals)
    }
    return answer
  }

  /// Does the same, and returns an answer with any status.
  func answer(
    to request: HTTPRequest, remembering type: Any.Type? = nil
  ) async throws -> HTTPAnswer {
    do {
      return try await answerNow(to: request, remembering: type)
    } catch var error as HTTPError {
      error.isOfRead = request.readsByBody
      throw error
    }
  }

  private func answerNow(
    to request: HTTPRequest, remembering type: Any.Type?
  ) async throws -> HTTPAnswer {
    if let contradiction { throw contradiction }
    guard service.trust.allows(request.url) else { throw HTTPError(.insecure, of: request) }
    try Task.checkCancellation()
    let credential = try await credential(for: request)
    let answer = try await attempt(request, credential, type: type)
    guard answer.refusesCredential, let renewed = try await renew(after: answer, of: request) else {
      return answer
    }
    let second = try await attempt(request, renewed, type: type)
    if second.refusesCredential { service.credentials.recordRefused(renewed) }
    return second
  }

  /// Sends a request with a credential, or uses the remembered answer if it is still valid.
  private func attempt(
    _ request: HTTPRequest, _ credential: String?, type: Any.Type?
  ) async throws -> HTTPAnswer {
    var fields = fields(of: request)
    if let credential { fields["Authorization"] = credential }
    let key = type.flatMap { self.key(of: request, fields, type: $0) }
    let known = key.flatMap(service.cache.entry)
    if let known { fields["If-None-Match"] = known.etag }
    var answer = try await follow(request, fields)
    (answer.key, answer.credential) = (key, credential)
    if let known, answer.status == 304 {
      answer.remembered = known.value
      answer.headers.merge(known.headers) { new, _ in new }
    }
    return answer
  }

  /// Returns the key by which the decoded answer is remembered; nil if it must not be.
  private func key(
    of request: HTTPRequest, _ fields: HTTPFields, type: Any.Type
  ) -> ETagCache.Key? {
    // The parts that the app adds may decide to which user an answer belongs, and are not known here.
    guard service.cache.isEnabled, service.configuration.prepare == nil, request.body == nil else {
      return nil
    }
    return ETagCache.Key(
      url: request.url, asker: id, range: request.headers["Range"],
      authorization: fields["Authorization"], type: ObjectIdentifier(type),
      forgettings: service.cache.forgettings)
  }

  /// Sends a request, and follows redirects to its answer.
  private func follow(_ request: HTTPRequest, _ fields: HTTPFields) async throws -> HTTPAnswer {
    var redirects = redirects(of: request, fields)
    while true {
      let message = try await message(redirects)
      let exchange = HTTPExchange(service: service, redirects: redirects, message: message)
      var answer = try await exchange.answer()
      answer.done = request.done
      answer.isOfResult = redirects.isOfResult
      guard !(try redirects.follow(answer)) else { continue }
      let isOfParts = answer.status == 207 || request.hasParts && answer.isSuccess
      if !isOfParts { answer.meaning = format.refusals.meaning(of: answer) }
      return answer
    }
  }
}
