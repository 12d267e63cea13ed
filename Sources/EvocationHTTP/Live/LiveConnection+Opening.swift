import Evocation
import Foundation

/// How a connection is opened: by a request, or by the source of the format.
extension LiveConnection {
  struct Opened: Sendable {
    var connection: HTTPFormat.Live.Connection
    /// The credential that was sent; nil if another host has answered.
    var credential: String??
    /// Asks the app for another credential after the service has refused this one.
    var renew: @Sendable () async throws -> Void = {}
  }

  /// Opens the stream.
  func opened(_ request: HTTPRequest) async throws -> Opened {
    guard let source = live.source else { return try await answered(request) }
    if let contradiction = client.contradiction { throw contradiction }
    guard client.service.trust.allows(request.url) else { throw HTTPError(.insecure, of: request) }
    let credential = try await client.credential(for: request)
    do {
      return try await opened(request, by: source, with: credential)
    } catch let error as HTTPError where error.refusesCredential {
      guard let other = try await renewed(credential, of: request) else { throw error }
      return try await opened(request, by: source, with: other)
    }
  }

  /// Asks for the stream, and returns the pieces of the answer as signs.
  private func answered(_ request: HTTPRequest) async throws -> Opened {
    var request = request
    request.streamedSilence = live.longestSilence
    request.headers["Accept"] = "text/event-stream"
    request.headers["Cache-Control"] = "no-store"
    request.headers["Last-Event-ID"] = stream.start(of: self)
    let answer = try await client.send(request)
    let type = ContentType(answer.headers["content-type"])?.description
    guard let body = answer.stream, type == "text/event-stream" else {
      throw HTTPError(
        instead: type, status: answer.status, method: request.method, url: request.url)
    }
    let limit = largestEvent
    let connection = HTTPFormat.Live.Connection(subscribe: nil) { take in
      var parser = EventStreamParser(limit: limit)
      for try await piece in body {
        let events: [ServerSentEvent]
        do { events = try parser.read(piece) } catch { throw self.tooLarge }
        if let retry = parser.retry { try await take(.retry(retry)) }
        for event in events { try await take(.event(event)) }
        try await take(.heartbeat)
      }
    }
    return Opened(
      connection: connection, credential: answer.isForeign ? nil : .some(answer.authorization))
  }

  /// Has a source open the stream, before the service's timeout.
  private func opened(
    _ request: HTTPRequest, by source: HTTPFormat.Live.Source, with credential: String?
  ) async throws -> Opened {
    var request = request
    let mark = stream.start(of: self)
    request.headers["Last-Event-ID"] = mark
    var message = try await client.message(of: request, credential)
    message.maximumBodySize = largestEvent
    let sent = message.authorization
    client.service.credentials.recordSent(sent, in: nil)
    let connection: HTTPFormat.Live.Connection
    switch source.way {
    case .closure(let open):
      let opening = HTTPFormat.Live.Opening(request: message, mark: mark)
      connection = try await limited(request) { try await open(opening) }
    case .webSocket(let form):
      connection = try await connected(request, message, over: form, since: mark)
    }
    logMessage("opened")
    return Opened(connection: connection, credential: .some(sent)) { [request] in
      _ = try await self.renewed(credential, of: request)
    }
  }

  /// Opens a WebSocket as the limits of the host allow, as a request.
  private func connected(
    _ request: HTTPRequest, _ message: HTTPTransportRequest, over form: HTTPFormat.Live.WebSocket,
    since mark: String?
  ) async throws -> HTTPFormat.Live.Connection {
    let service = client.service
    var message = message
    if var parts = URLComponents(url: message.url, resolvingAgainstBaseURL: true) {
      parts.scheme = parts.scheme?.lowercased() == "http" ? "ws" : "wss"
      message.url = parts.url ?? message.url
    }
    if !form.subprotocols.isEmpty {
      message.headers["Sec-WebSocket-Protocol"] = form.subprotocols.joined(separator: ", ")
    }
    let opening = HTTPFormat.Live.Opening(request: message, mark: mark)
    let gate = service.gate(at: HTTPAddress.service(of: request.url))
    let turn = try await gate.enter()
    do {
      let connection = try await limited(request) {
        let socket = try await service.configuration.transport.webSocket(opening.request)
        return try await LiveWebSocket(socket, form, for: opening, time: service.time).begin()
      }
      gate.leave(turn, .success)
      return connection
    } catch {
      let error = HTTPError(error, request.method, url: request.url)
      let isFailure = !Task.isCancelled && error.failureKind == .transient
      gate.leave(turn, isFailure ? .failure : .unknown)
      throw error
    }
  }

  /// Waits for a connection until the service's timeout; a source that goes on then is not waited for.
  private func limited(
    _ request: HTTPRequest,
    _ open: @escaping @Sendable () async throws -> HTTPFormat.Live.Connection
  ) async throws -> HTTPFormat.Live.Connection {
    let limit = client.service.configuration.timeout
    let late = HTTPError(.timedOut, of: request, reason: "\(limit)")
    return try await Race(time: client.service.time, limit: limit, late: late).value(of: open)
  }

  /// Asks the app for another credential than the one that the service has refused.
  private func renewed(_ credential: String?, of request: HTTPRequest) async throws -> String?? {
    var refusal = HTTPAnswer(status: 401, headers: [:], body: Data())
    refusal.credential = credential
    return try await client.renew(after: refusal, of: request)
  }

  /// The largest size of an event.
  var largestEvent: Int {
    min(live.maximumEventSize, client.service.configuration.maximumResponseSize)
  }

  var tooLarge: HTTPError { HTTPError(event: largestEvent, method: live.route.method, url: url) }
}

extension HTTPError {
  /// Whether the service has refused the credential; a 403 is about the permission.
  var refusesCredential: Bool { code == .unauthorized && status != 403 }
}
