import Evocation
import Foundation

/// Sends the requests of one repository; it does not know the models.
final class HTTPClient: Sendable {
  let service: HTTPService
  let format: HTTPFormat
  /// The path of the models at the service.
  let path: String
  let names: KeyNames
  /// The contradiction in the format, or in the service's configuration.
  let contradiction: HTTPError?

  let place: String
  private let address: HTTPAddress
  private let gate: ServiceGate
  /// The transport, if it can be ended directly and need not be raced against the clock.
  private let session: URLSessionTransport?
  /// The log for each request when it ends; nil if requests are not logged.
  let log: Evocation.Log?
  private let id = UUID()
  /// What is known about the ends of the service's lists.
  let ends = Lock(ListEnds())
  private let hasSmallUUIDs = Lock<Bool?>(nil)

  /// Creates a client; `codingPath` returns the coding keys that a key of criteria leads to.
  init(
    _ service: HTTPService, _ path: String, format: HTTPFormat,
    codingPath: @escaping @Sendable (Criteria.Key) -> [String]? = { _ in nil }
  ) {
    self.service = service
    self.format = format
    self.path = path
    names = KeyNames(encoder: format.encoder) { [id = format.identifierKey] key in
      key == id ? [key.name] : codingPath(key)
    }
    contradiction = format.contradiction(with: service)
    place = service.name
    address = HTTPAddress(baseURL: service.baseURL, path: path)
    gate = service.gate(at: place)
    session = service.configuration.transport as? URLSessionTransport
    log = service.configuration.log.taking(.http)
  }

  var configuration: HTTPService.Configuration { service.configuration }

  /// Returns the request of a route.
  func request(
    _ route: HTTPFormat.Route, id: String? = nil, query: HTTPQuery = HTTPQuery(),
    body: Data? = nil, idempotencyKey: String? = nil
  ) throws(HTTPError) -> HTTPRequest {
    if let contradiction { throw contradiction }
    var url = try address.url(route.path, id: id, query: query.items, of: route.method)
    if let link = query.address {
      guard let next = address.following(link, or: nil, hiding: []) else {
        throw HTTPError(
          .incompleteList, method: route.method, url: url,
          reason:
            "continues at \(link.host() ?? "another host"), and Evocation does not follow links "
            + "to other hosts"
        )
      }
      url = next
    }
    var request = HTTPRequest(
      method: route.method,
      url: url,
      body: body,
      headers: route.headers,
      idempotencyKey: idempotencyKey,
      condition: route.onlyIfAbsent ? .absent : nil,
      done: route.done,
      path: route.path,
      mayBeEmpty: route.mayBeEmpty
    )
    if let range = query.range { request.headers["Range"] = range }
    request.session = service.credentials.session
    return request
  }

  /// Returns the query of criteria.
  func written(_ criteria: Criteria, isOrdered: Bool = true) throws -> HTTPQuery {
    try format.written(criteria, names: names, text: text, isOrdered: isOrdered)
  }

  /// Whether UUIDs are written in lowercase.
  var lowercasesUUIDs: Bool { format.lowercasesUUIDs ?? hasSmallUUIDs.withLock(\.self) ?? false }

  /// The way in which values are written in addresses.
  var text: ScalarText {
    var text = ScalarText(encoder: format.encoder)
    if lowercasesUUIDs { text.uuid = { $0.uuidString.lowercased() } }
    return text
  }

  /// Learns how the service writes UUIDs, from the body with a model's id.
  func learnUUIDCase(_ id: UUID, in body: Data) {
    guard format.lowercasesUUIDs == nil, hasSmallUUIDs.withLock({ $0 == nil }) else { return }
    let isSmall = body.range(of: Data(id.uuidString.lowercased().utf8)) != nil
    guard isSmall || body.range(of: Data(id.uuidString.utf8)) != nil else { return }
    hasSmallUUIDs.withLock { $0 = isSmall }
  }

  /// Returns the request for a list, or a part of one.
  func request(
    _ route: HTTPFormat.Route, _ criteria: Criteria, items: [URLQueryItem]
  ) throws -> HTTPRequest {
    var query = try written(criteria)
    query.items += items
    return try request(route, query: query)
  }

  /// Returns the address of a further page that an answer names; nil for an address at another host.
  ///
  /// An address for the app has no query items that each request has, such as a key.
  func following(_ text: String, _ answer: HTTPAnswer, isGiven: Bool = false) -> URL? {
    guard !text.isEmpty, let link = URL(string: text, relativeTo: answer.url)?.absoluteURL else {
      return nil
    }
    return address.following(
      link, or: answer.url?.host(), hiding: answer.hidden, isBare: isGiven)
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

  /// Remembers the decoded value of an answer, for use after a 304.
  func remember(_ value: any Sendable, of answer: HTTPAnswer) {
    service.cache.remember(value, of: answer)
  }

  /// Sends a request with a credential, or uses the remembered answer if it is still valid.
  private func attempt(
    _ request: HTTPRequest, _ credential: String?, type: Any.Type?
  ) async throws -> HTTPAnswer {
    var fields = fields(of: request)
    if let credential { fields["Authorization"] = credential }
    // The parts that the app adds may decide to which user an answer belongs, and are not known here.
    guard let type, service.cache.isEnabled, configuration.prepare == nil else {
      var answer = try await follow(request, fields)
      answer.credential = credential
      return answer
    }
    let key = ETagCache.Key(
      url: request.url, asker: id, range: request.headers["Range"],
      authorization: fields["Authorization"],
      type: ObjectIdentifier(type), forgettings: service.cache.forgettings
    )
    let known = service.cache.entry(key)
    if let known { fields["If-None-Match"] = known.etag }
    var answer = try await follow(request, fields)
    answer.key = key
    answer.credential = credential
    if let known, answer.status == 304 {
      answer.remembered = known.value
      answer.headers.merge(known.headers) { new, _ in new }
    }
    return answer
  }

  func fields(of request: HTTPRequest) -> HTTPFields {
    var fields = HTTPFields()
    fields["Accept"] = "application/json"
    if request.body != nil { fields["Content-Type"] = format.body.contentType }
    for (name, value) in configuration.headers { fields[name] = value }
    for (name, value) in format.headers { fields[name] = value }
    for (name, value) in request.headers { fields[name] = value }
    if let field = format.idempotency?.field, let key = request.idempotencyKey {
      fields[field] = key
    }
    if let condition = request.condition { fields[condition.field] = condition.value }
    return fields
  }

  private func follow(
    _ request: HTTPRequest, _ fields: HTTPFields
  ) async throws -> HTTPAnswer {
    var redirects = HTTPRedirects(
      request, fields, trust: service.trust, key: format.idempotency?.field)
    while true {
      var answer = try await exchange(redirects)
      answer.url = redirects.request.url
      answer.done = request.done
      answer.isForeign = redirects.isForeign
      guard !(try redirects.follow(answer)) else { continue }
      let isOfParts = answer.status == 207 || request.hasParts && answer.isSuccess
      if !isOfParts {
        answer.meaning = format.refusals.meaning(of: answer)
      }
      return answer
    }
  }
}

extension HTTPClient {
  /// Sends one request as soon as the service's limits allow, and reads the answer in time.
  private func exchange(_ redirects: HTTPRedirects) async throws -> HTTPAnswer {
    let request = redirects.request
    let gate = redirects.isElsewhere ? self.gate(at: request.url) : self.gate
    let message = try await message(redirects)
    let credential = message.authorization
    if !redirects.isForeign { service.credentials.recordSent(credential, in: request.session) }
    let turn: Int
    do {
      turn = try await gate.enter()
    } catch let error as HTTPError {
      throw HTTPError(error, request.method, url: request.url)
    }
    let start = log == nil ? nil : service.time.now()
    do {
      var answer = try await whole(message, of: request)
      answer.authorization = credential
      if configuration.prepare != nil {
        answer.hidden = Set(message.url.items).subtracting(request.url.items)
      }
      if let start { logEnd(redirects, answer.status, error: nil, since: start) }
      let outcome: ServiceGate.Outcome = answer.status >= 500 ? .failure : .success
      gate.leave(turn, outcome, backoff: configuration.limits.wait(after: answer))
      return answer
    } catch {
      // Only a cancellation of the caller's task is passed on: a transport may be canceled for other
      // reasons.
      let isCancelled = error is CancellationError && Task.isCancelled
      let error = isCancelled ? error : HTTPError(error, request.method, url: request.url)
      gate.leave(turn, isCancelled ? .unknown : Self.outcome(of: error))
      if let start { logEnd(redirects, nil, error: error, since: start) }
      throw error
    }
  }

  /// Logs how a request ended, without its query, fields and body.
  ///
  /// Ids are in an entry only if the log shows values, in the text of an error.
  private func logEnd(
    _ redirects: HTTPRedirects, _ status: Int?, error: (any Error)?, since start: Duration
  ) {
    let duration = service.time.now().subtracting(start)
    let request = redirects.request
    let place = redirects.isElsewhere ? HTTPAddress.service(of: request.url) : self.place
    let (method, path) = (request.method, redirects.isElsewhere ? "elsewhere" : request.path)
    log?.add { showsValues in
      let reason = error.map { error in
        showsValues ? "\(error)" : (error as? HTTPError)?.logDescription ?? "cancelled"
      }
      return .request(
        .init(
          method: method, address: "\(place) \(path)", status: status, error: reason,
          duration: duration))
    }
  }

  /// Returns the message of a request, as the app completes it.
  func message(_ redirects: HTTPRedirects) async throws -> HTTPTransportRequest {
    let request = redirects.request
    var message = HTTPTransportRequest(
      method: request.method, url: request.url, headers: redirects.fields.named,
      body: request.body, timeout: configuration.timeout,
      isRepeatable: isRepeatable(request, redirects.fields),
      maximumBodySize: configuration.maximumResponseSize
    )
    if let silence = request.streamedSilence {
      (message.isStreamed, message.timeout) = (true, silence)
    }
    guard let prepare = configuration.prepare, !redirects.isForeign else { return message }
    try await prepare(&message)
    guard service.trust.allows(message.url) else { throw HTTPError(.insecure, of: request) }
    return message
  }

  /// Sends a message, and reads the answer, both before the timeout.
  ///
  /// Of a streamed answer only the head has to arrive by then, and a refusal whole.
  private func whole(
    _ message: HTTPTransportRequest, of request: HTTPRequest
  ) async throws -> HTTPAnswer {
    let limit = message.isStreamed ? configuration.timeout : message.timeout
    let late: @Sendable () -> HTTPError = { HTTPError(.timedOut, of: request, reason: "\(limit)") }
    if let session, !message.isStreamed {
      return try await whole(message, over: session, late: late)
    }
    let race = Race(time: service.time, limit: limit, late: late(), executor: nil)
    return try await race.value { () async throws -> HTTPAnswer in
      let response = try await self.repeating(message) {
        try await self.configuration.transport.send(message)
      }
      if message.isStreamed, response.status == 200 { return HTTPAnswer(streamed: response) }
      return try await HTTPAnswer(response, limit: message.maximumBodySize)
    }
  }

  /// Does the same with a transport that ends on request, so that no second task runs.
  private func whole(
    _ message: HTTPTransportRequest, over session: URLSessionTransport,
    late: @escaping @Sendable () -> HTTPError
  ) async throws -> HTTPAnswer {
    let end = service.deadlines.now.adding(message.timeout)
    let answer = try await repeating(message) {
      let exchange = session.exchange(message)
      let deadline = service.deadlines.add(at: end) { exchange.end(late()) }
      defer { service.deadlines.remove(deadline) }
      return try await exchange.response()
    }
    return HTTPAnswer(status: answer.status, headers: answer.headers, body: try answer.body.get())
  }

  /// Whether a request may reach the service twice: a read, or a write that it recognizes by its key.
  private func isRepeatable(_ request: HTTPRequest, _ fields: HTTPFields) -> Bool {
    guard !["GET", "HEAD"].contains(request.method) else { return true }
    guard case .key(let field) = format.idempotency else { return false }
    return fields[field] != nil
  }

  /// Sends a request, once more if its connection was lost before the answer began.
  private func repeating<Answer>(
    _ message: HTTPTransportRequest, _ send: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await send()
    } catch {
      let named = HTTPError(error, message.method, url: message.url)
      guard message.isRepeatable, !Task.isCancelled, named.code == .connectionLost else {
        throw error
      }
      return try await send()
    }
  }

  private func gate(at url: URL) -> ServiceGate {
    service.gate(at: HTTPAddress.service(of: url))
  }

  private static func outcome(of error: any Error) -> ServiceGate.Outcome {
    FailureKind(error) == .transient ? .failure : .unknown
  }
}

extension URL {
  /// The items of the query, percent-encoded.
  fileprivate var items: [String] {
    (query(percentEncoded: true) ?? "").split(separator: "&").map(String.init)
  }
}
