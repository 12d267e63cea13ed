import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of the session: passes each event on to the exchange, or the WebSocket, of its task.
///
/// On Linux the session calls it on its own queue. Calls like `URLSessionTask.cancel()` wait for that
/// queue, so the delegate makes none of them.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, URLSessionWebSocketDelegate,
  Sendable
{
  /// Answers a challenge of the connection, such as for the server's certificate.
  typealias Challenge =
    @Sendable (URLAuthenticationChallenge) -> (
      URLSession.AuthChallengeDisposition, URLCredential?
    )

  private let exchanges = Lock<[Int: URLSessionExchange]>([:])
  /// The WebSockets that are being opened.
  private let sockets = Lock<[Int: URLSessionWebSocket]>([:])
  private let challenge: Challenge?

  init(challenge: Challenge? = nil) {
    self.challenge = challenge
  }

  /// Returns the queue on which a session calls its delegate; nil for a queue that the session makes.
  static func queue() -> OperationQueue? {
    #if canImport(FoundationNetworking)
      ImmediateQueue()
    #else
      nil
    #endif
  }

  func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  func add(_ socket: URLSessionWebSocket, for task: URLSessionTask) {
    sockets.withLock { $0[task.taskIdentifier] = socket }
  }

  func urlSession(
    _ session: URLSession, webSocketTask task: URLSessionWebSocketTask,
    didOpenWithProtocol name: String?
  ) {
    take(task)?.receive(.success(()))
  }

  /// Does nothing, because whoever receives from the WebSocket sees its end.
  func urlSession(
    _ session: URLSession, webSocketTask task: URLSessionWebSocketTask,
    didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {}

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // A redirected WebSocket is refused with the redirect's status.
    guard let exchange = exchange(task) else { return completionHandler(nil) }
    exchange.receiveRedirect(completionHandler)
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(dataTask)?.receive(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    exchange?.finish(error.map { .failure($0) } ?? .success(()))
    take(task)?.receive(.failure(error ?? HTTPError(.connectionLost)))
  }

  #if !canImport(FoundationNetworking)
    func urlSession(
      _ session: URLSession,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let (disposition, credential) =
        self.challenge?(challenge) ?? (.performDefaultHandling, nil)
      completionHandler(disposition, credential)
    }
  #endif

  #if canImport(FoundationNetworking)
    /// Ends a refused request with the refusal, which has arrived by now, as its answer.
    ///
    /// Any other disposition leaves the task without an end on Linux: it delivers neither the refusal
    /// nor an error.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      exchange(task)?.finish(.success(()))
      // It cancels the task.
      URLSessionExchange.queue.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    /// Ends a request if the service closed its kept connection after a part of the body was sent.
    ///
    /// The body would have to be sent once more, but Linux does not do that: the task would wait for
    /// its timeout. The service may have performed the request, so it is not repeated here.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      exchange(task)?.end(HTTPError(.connectionLost))
      completionHandler(nil)
    }
  #endif

  private func take(_ task: URLSessionTask) -> URLSessionWebSocket? {
    sockets.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }
}

#if canImport(FoundationNetworking)
  /// Runs each operation immediately, where it is added.
  ///
  /// A session on Linux adds each piece of a body as an operation, and does not wait for it. Pieces
  /// that arrive faster than operations begin, as they do from an endless body, would pile up, and the
  /// end of the body behind them.
  private final class ImmediateQueue: OperationQueue, @unchecked Sendable {  // has no state
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      block()
    }
  }
#endif
