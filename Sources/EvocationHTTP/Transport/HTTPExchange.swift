import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request that is being sent: collects the answer, and ends once, by whatever comes first.
///
/// `URLSession.data(for:)` is simpler, but reads answers of any size into memory and follows
/// redirects by itself. The result is passed under the lock, and not by the continuation, because
/// ThreadSanitizer does not see the continuation's ordering on Linux.
final class HTTPExchange: Sendable {
  private struct State {
    var response: HTTPURLResponse?
    var body = Data()
    var outcome: Result<HTTPAnswer, any Error>?
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let request: HTTPRequest
  private let task: URLSessionDataTask
  private let limits: Limits
  private let state: Lock<State>
  private let isCancelled = Lock(false)

  init(_ request: HTTPRequest, _ task: URLSessionDataTask, _ limits: Limits) {
    self.request = request
    self.task = task
    self.limits = limits
    state = Lock(State())
  }

  /// Sends the request and waits for the answer; ends at once when the task is cancelled.
  func run() async throws -> HTTPAnswer {
    await withCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.outcome == nil { state.continuation = continuation }
          return state.outcome != nil
        }
        if isOver { continuation.resume() } else { task.resume() }
      }
    } onCancel: {
      finish(throwing: CancellationError())
    }
    guard let outcome = state.withLock(\.outcome) else { throw CancellationError() }
    return try outcome.get()
  }

  /// Ends the exchange before the answer is there.
  func finish(throwing error: any Error) {
    finish(.failure(error))
    isCancelled.withLock { isCancelled in
      isCancelled = true
      task.cancel()
    }
  }

  /// Takes the head of the answer; false when the rest of it is not wanted.
  func receive(_ response: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse else {
      finish(throwing: HTTPError(.unexpectedStatus, of: request))
      return false
    }
    guard response.expectedContentLength <= Int64(limits.size) else {
      finish(throwing: tooLarge)
      return false
    }
    return state.withLock { state in
      state.response = response
      state.body = Data()
      return state.outcome == nil
    }
  }

  /// Takes a part of the body.
  func receive(_ data: Data) {
    let isWithinLimit = state.withLock { state in
      guard state.outcome == nil else { return true }
      state.body.append(data)
      return state.body.count <= limits.size
    }
    if !isWithinLimit { finish(throwing: tooLarge) }
  }

  /// Ends with the redirect as the answer; ``HTTPRedirects`` follows it without the credentials.
  ///
  /// On Linux the process traps when a redirect is answered after its task was cancelled, so both
  /// happen under one lock, and a cancelled task is not answered.
  func receiveRedirect(_ answer: (URLRequest?) -> Void) {
    isCancelled.withLock { isCancelled in
      #if canImport(FoundationNetworking)
        guard !isCancelled else { return }
      #endif
      answer(nil)
    }
  }

  /// Takes the end of the exchange from the system.
  func complete(_ error: (any Error)?) {
    if let error {
      finish(.failure(HTTPError(error, of: request)))
    } else {
      finish(nil)
    }
  }

  private var tooLarge: HTTPError {
    HTTPError(.tooLarge, of: request, reason: "\(limits.size) bytes")
  }

  /// Ends the exchange with an outcome, or else with the answer that was collected.
  private func finish(_ outcome: Result<HTTPAnswer, any Error>?) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome ?? collected(state)
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume()
  }

  private func collected(_ state: State) -> Result<HTTPAnswer, any Error> {
    // Linux does not deliver the head of a 3xx without an address, but the task has it.
    guard let response = state.response ?? task.response as? HTTPURLResponse else {
      return .failure(HTTPError(.connectionLost, of: request))
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      headers["\(name)".lowercased()] = "\(value)"
    }
    return .success(
      HTTPAnswer(
        status: response.statusCode, headers: headers, body: state.body, url: response.url
      )
    )
  }
}

extension HTTPExchange {
  /// The time, the size and the hosts that an exchange is limited to.
  struct Limits: Sendable {
    var timeout: Duration
    var size: Int
    var insecureHosts: Set<String>

    /// The system's timeout is for pauses and not for the whole, so it is set longer than ours.
    ///
    /// It is a week at most, because Linux counts milliseconds and traps when they overflow.
    var systemTimeout: TimeInterval {
      min(max(timeout.seconds, 0) + 60, 7 * 86400)
    }

    /// Whether a request may be sent to an address: with TLS, or where none is needed.
    func allows(_ url: URL) -> Bool {
      guard url.scheme?.lowercased() == "http", let host = url.host()?.lowercased() else {
        return url.scheme?.lowercased() == "https"
      }
      return Self.isLoopback(host) || insecureHosts.contains { $0.lowercased() == host }
    }

    private static func isLoopback(_ host: String) -> Bool {
      let isNamed = ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
      guard !isNamed else { return true }
      let parts = host.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
  }
}
