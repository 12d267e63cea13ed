import Evocation
import Foundation

/// Sends the requests of one repository; it does not know the models.
final class HTTPClient: Sendable {
  /// Reads an answer, and says each time when a part of it has come.
  typealias Reader =
    @Sendable (HTTPTransportResponse, _ progress: @Sendable () -> Void) async throws -> HTTPAnswer

  let service: HTTPService
  let format: HTTPFormat
  let names: KeyNames
  /// What contradicts itself in the configuration.
  let contradiction: HTTPError?

  private let place: String
  private let address: HTTPAddress
  private let gate: ServiceGate
  /// The transport, where it can be told to end, and need not be raced against the clock.
  private let session: URLSessionTransport?
  /// Where each request is logged as it ends; nil where none is.
  private let log: Evocation.Log?

  init(_ service: HTTPService, _ path: String, _ format: HTTPFormat) {
    self.service = service
    self.format = format
    names = KeyNames(encoder: format.encoder)
    contradiction = format.contradiction(with: service)
    place = service.name
    address = HTTPAddress(baseURL: service.baseURL, path: path)
    gate = service.gate(at: place)
    session = service.configuration.transport as? URLSessionTransport
    log = service.configuration.log.taking(.http)
  }

  private var configuration: HTTPService.Configuration { service.configuration }

  /// Makes the request of a route.
  func request(
    _ route: HTTPFormat.Route, id: String? = nil, query: HTTPQuery = HTTPQuery(),
    body: Data? = nil, idempotencyKey: String? = nil
  ) throws(HTTPError) -> HTTPRequest {
    if let contradiction { throw contradiction }
    var request = HTTPRequest(
      method: route.method,
      url: try address.url(route.path, id: id, query: query.items, of: route.method),
      body: body,
      headers: route.headers,
      idempotencyKey: idempotencyKey,
      condition: route.onlyIfAbsent ? .absent : nil,
      done: route.done,
      path: route.path
    )
    if let range = query.range { request.headers["Range"] = range }
    return request
  }

  /// Sends a request, once more after a 401, and gives the answer if it is a success.
  ///
  /// With a type, decoded values are remembered by their `ETag`, and a 304 gives the earlier one.
  func send(_ request: HTTPRequest, remembering type: Any.Type? = nil) async throws -> HTTPAnswer {
    let answer = try await answer(to: request, remembering: type)
    guard answer.isSuccess else {
      throw HTTPError(answer, of: request, by: format.refusals)
    }
    return answer
  }

  /// Does the same, and gives the answer whatever its status is.
  func answer(
    to request: HTTPRequest, remembering type: Any.Type? = nil, by reader: Reader? = nil
  ) async throws -> HTTPAnswer {
    if let contradiction { throw contradiction }
    guard service.trust.allows(request.url) else { throw HTTPError(.insecure, of: request) }
    try Task.checkCancellation()
    guard let hook = configuration.authorization else {
      return try await attempt(request, nil, type, reader)
    }
    let credentials = service.credentials
    let credential = try await hook(.request)
    credentials.noteGiven(credential)
    let answer = try await attempt(request, credential, type, reader)
    guard answer.status == 401 else { return answer }
    credentials.noteRefused(credential)
    guard !credentials.isRenewing else { return answer }
    let renewed = try await credentials.renewed(credential) { try await hook(.refusal) }
    let second = try await attempt(request, renewed, type, reader)
    if second.status == 401 { credentials.noteRefused(renewed) }
    return second
  }

  /// Remembers the decoded value of an answer, to be used again after a 304.
  func remember(_ value: any Sendable, of answer: HTTPAnswer) {
    service.cache.remember(value, of: answer)
  }

  /// Forgets all answers.
  func forgetAnswers() { service.cache.forgetAll() }

  /// Sends a request with a credential, unless the answer is known and still valid.
  private func attempt(
    _ request: HTTPRequest, _ credential: String?, _ type: Any.Type?, _ reader: Reader?
  ) async throws -> HTTPAnswer {
    var fields = fields(of: request)
    if let credential { fields["Authorization"] = credential }
    guard let type, service.cache.isEnabled else {
      return try await follow(request, fields, reader)
    }
    let key = ETagCache.Key(
      url: request.url, range: request.headers["Range"], authorization: fields["Authorization"],
      type: ObjectIdentifier(type), forgettings: service.cache.forgettings
    )
    let known = service.cache.entry(key)
    if let known { fields["If-None-Match"] = known.etag }
    var answer = try await follow(request, fields, reader)
    answer.key = key
    if let known, answer.status == 304 {
      answer.remembered = known.value
      answer.headers.merge(known.headers) { new, _ in new }
    }
    return answer
  }

  func fields(of request: HTTPRequest) -> HTTPFields {
    var fields = HTTPFields()
    fields["Accept"] = "application/json"
    if request.body != nil { fields["Content-Type"] = "application/json" }
    for (name, value) in configuration.headers { fields[name] = value }
    for (name, value) in request.headers { fields[name] = value }
    if let field = format.idempotency?.field, let key = request.idempotencyKey {
      fields[field] = key
    }
    if let condition = request.condition { fields[condition.field] = condition.value }
    return fields
  }

  private func follow(
    _ request: HTTPRequest, _ fields: HTTPFields, _ reader: Reader?
  ) async throws -> HTTPAnswer {
    var redirects = HTTPRedirects(request, fields, service.trust)
    while true {
      var answer = try await exchange(redirects, reader)
      answer.url = redirects.request.url
      answer.done = request.done
      guard try redirects.follow(answer) else { return answer }
    }
  }
}

extension HTTPClient {
  /// Sends one request as soon as the service's limits allow, and reads the answer in time.
  private func exchange(
    _ redirects: HTTPRedirects, _ reader: Reader?
  ) async throws -> HTTPAnswer {
    let request = redirects.request
    let gate = redirects.isElsewhere ? self.gate(at: request.url) : self.gate
    let turn: Int
    do {
      turn = try await gate.enter()
    } catch let error as HTTPError {
      throw HTTPError(error, request.method, request.url)
    }
    let start = log == nil ? nil : service.time.now()
    do {
      let answer = try await race(request, redirects.fields, reader)
      if let start { note(redirects, answer.status, nil, since: start) }
      let outcome: ServiceGate.Outcome = answer.status >= 500 ? .failure : .success
      gate.leave(turn, outcome, backoff: configuration.limits.wait(after: answer))
      return answer
    } catch let failure as TakerFailure {
      gate.leave(turn, .success)
      throw failure.reason
    } catch {
      // A transport may be cancelled by others than the caller, who is not to take it for his own.
      let isCancelled = error is CancellationError && Task.isCancelled
      let error = isCancelled ? error : HTTPError(error, request.method, request.url)
      gate.leave(turn, isCancelled ? .unknown : Self.outcome(of: error))
      if let start { note(redirects, nil, error, since: start) }
      throw error
    }
  }

  /// Logs how a request ended, without its ids, query, fields and body.
  private func note(
    _ redirects: HTTPRedirects, _ status: Int?, _ error: (any Error)?, since start: Duration
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

  /// Sends one request, and reads the answer, both before the timeout.
  private func race(
    _ request: HTTPRequest, _ fields: HTTPFields, _ reader: Reader?
  ) async throws -> HTTPAnswer {
    let limit = configuration.timeout
    let late: @Sendable () -> HTTPError = {
      HTTPError(.timedOut, of: request, reason: "\(limit)")
    }
    let message = HTTPTransportRequest(
      method: request.method, url: request.url, headers: fields.named, body: request.body,
      timeout: limit, isRepeatable: isRepeatable(request, fields),
      maximumBodySize: configuration.maximumResponseSize
    )
    if let session, reader == nil {
      return try await whole(message, over: session, late: late)
    }
    let reached = Lock(0)
    let progress: @Sendable () -> Int = { reached.withLock { count in count } }
    let race = Race(
      time: service.time, limit: limit, late: late(), executor: nil,
      progress: reader == nil ? nil : progress
    )
    return try await race.value { () async throws -> HTTPAnswer in
      let response = try await self.repeating(message) {
        try await self.configuration.transport.send(message)
      }
      guard let reader else {
        return try await HTTPAnswer(response, limit: self.configuration.maximumResponseSize)
      }
      return try await reader(response) { reached.withLock { $0 = $0 &+ 1 } }
    }
  }

  /// Does the same with a transport that ends when it is told, so that no task runs beside it.
  private func whole(
    _ message: HTTPTransportRequest, over session: URLSessionTransport,
    late: @escaping @Sendable () -> HTTPError
  ) async throws -> HTTPAnswer {
    let end = service.deadlines.now.adding(message.timeout)
    let answer = try await repeating(message) {
      let exchange = session.exchange(message)
      let deadline = service.deadlines.add(at: end) { exchange.end(late()) }
      defer { service.deadlines.remove(deadline) }
      return try await exchange.wholeResponse()
    }
    return HTTPAnswer(status: answer.status, headers: answer.headers, body: try answer.body.get())
  }

  /// Whether a request may reach the service twice: a read, or a write that it knows by its key.
  private func isRepeatable(_ request: HTTPRequest, _ fields: HTTPFields) -> Bool {
    guard !["GET", "HEAD"].contains(request.method) else { return true }
    guard case .key(let field) = format.idempotency else { return false }
    return fields[field] != nil
  }

  /// Sends a request, once more where its connection was lost before the answer began.
  private func repeating<Answer>(
    _ message: HTTPTransportRequest, _ send: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await send()
    } catch {
      let named = HTTPError(error, message.method, message.url)
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

/// The failure of who takes an answer while it comes, which says nothing about the service.
struct TakerFailure: Error {
  let reason: any Error
}
