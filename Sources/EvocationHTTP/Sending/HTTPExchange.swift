import Evocation
import Foundation

/// One message to a service, and its answer.
///
/// ``answer()`` takes these steps:
///
/// 1. It waits until the limits of the host admit the message.
/// 2. It sends the message and reads the answer, both before the timeout (`whole`), and sends it once
///    more if the connection is lost before the answer begins (`repeating`).
/// 3. It reports how the exchange ended, to the limits and to the log.
struct HTTPExchange: Sendable {
  let service: HTTPService
  /// The request, as it was redirected so far.
  let redirects: HTTPRedirects
  let message: HTTPTransportRequest

  /// Sends the message as soon as the limits allow, and returns the answer.
  func answer() async throws -> HTTPAnswer {
    let (credential, isForeign) = (message.authorization, redirects.isForeign)
    if !isForeign { service.credentials.recordSent(credential, in: request.session) }
    let gate = service.gate(at: HTTPAddress.service(of: request.url))
    let turn: Int
    do {
      turn = try await gate.enter()
    } catch let error as HTTPError {
      throw HTTPError(error, request.method, url: request.url)
    }
    let start = service.log == nil ? nil : service.time.now()
    do {
      var answer = try await whole()
      (answer.url, answer.authorization, answer.isForeign) = (request.url, credential, isForeign)
      if service.configuration.prepare != nil {
        answer.hidden = Set(message.url.escapedItems).subtracting(request.url.escapedItems)
      }
      let outcome: ServiceGate.Outcome = answer.status >= 500 ? .failure : .success
      if let start { log(answer.status, error: nil, since: start) }
      gate.leave(turn, outcome, backoff: service.configuration.limits.wait(after: answer))
      return answer
    } catch {
      // Only a cancellation of the caller's task is passed on: a transport may be canceled for other
      // reasons.
      let isCancelled = error is CancellationError && Task.isCancelled
      let error = isCancelled ? error : HTTPError(error, request.method, url: request.url)
      let isFailure = !isCancelled && FailureKind(error) == .transient
      gate.leave(turn, isFailure ? .failure : .unknown)
      if let start { log(nil, error: error, since: start) }
      throw error
    }
  }

  /// Sends the message, and reads the answer, both before the timeout.
  ///
  /// Of a streamed answer only the head has to arrive by then, and a refusal whole.
  private func whole() async throws -> HTTPAnswer {
    let transport = service.configuration.transport
    if let session = transport as? URLSessionTransport, !message.isStreamed {
      return try await whole(over: session)
    }
    let race = Race(time: service.time, limit: limit, late: late, executor: nil)
    return try await race.value { () async throws -> HTTPAnswer in
      let response = try await repeating { try await transport.send(message) }
      if message.isStreamed, response.status == 200 { return HTTPAnswer(streamed: response) }
      return try await HTTPAnswer(response, limit: message.maximumBodySize)
    }
  }

  /// Does the same with a transport that ends on request, so that no second task runs.
  private func whole(over session: URLSessionTransport) async throws -> HTTPAnswer {
    let end = service.deadlines.now.adding(limit)
    let answer = try await repeating {
      let exchange = session.exchange(message)
      let deadline = service.deadlines.add(at: end) { exchange.end(late) }
      defer { service.deadlines.remove(deadline) }
      return try await exchange.response()
    }
    return HTTPAnswer(status: answer.status, headers: answer.headers, body: try answer.body.get())
  }

  private var request: HTTPRequest { redirects.request }

  private var limit: Duration {
    message.isStreamed ? service.configuration.timeout : message.timeout
  }

  private var late: HTTPError { HTTPError(.timedOut, of: request, reason: "\(limit)") }

  /// Sends the message, once more if its connection was lost before the answer began.
  private func repeating<Answer>(_ send: () async throws -> Answer) async throws -> Answer {
    do {
      return try await send()
    } catch {
      let named = HTTPError(error, message.method, url: message.url)
      guard message.isRepeatable, !Task.isCancelled, named.code == .connectionLost else {
        throw error
      }
      do {
        return try await send()
      } catch let second where !HTTPError(second, message.method, url: message.url).mayHaveArrived {
        // That the second one did not arrive says nothing about the first one.
        throw error
      }
    }
  }

  /// Logs how the request ended, without its query, fields and body.
  ///
  /// Ids are in an entry only if the log shows values, in the text of an error.
  private func log(_ status: Int?, error: (any Error)?, since start: Duration) {
    let duration = service.time.now().subtracting(start)
    let path = redirects.isElsewhere ? "elsewhere" : request.path
    let (method, url) = (request.method, request.url)
    service.log?.add { showsValues in
      let reason = error.map { error in
        showsValues ? "\(error)" : (error as? HTTPError)?.logDescription ?? "cancelled"
      }
      return .request(
        .init(
          method: method, address: "\(HTTPAddress.service(of: url)) \(path)", status: status,
          error: reason, duration: duration))
    }
  }
}
