import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of the session: passes each event on to the exchange of its task.
///
/// On Linux it is called on the session's own queue, for which calls like `URLSessionTask.cancel()`
/// wait; so it makes none of them.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
  /// Answers a challenge of the connection, such as for the server's certificate.
  typealias Challenge =
    @Sendable (URLAuthenticationChallenge) -> (
      URLSession.AuthChallengeDisposition, URLCredential?
    )

  private let exchanges = Lock<[Int: URLSessionExchange]>([:])
  private let challenge: Challenge?

  init(challenge: Challenge? = nil) {
    self.challenge = challenge
  }

  /// The queue that a session is to call its delegate on; nil for one that it makes.
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

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    exchange(task)?.receiveRedirect(completionHandler)
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
    /// Ends a refused request with the refusal, which has come by now, as its answer.
    ///
    /// Any other disposition leaves the task without an end on Linux: neither the refusal nor an
    /// error is delivered.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      exchange(task)?.finish(.success(()))
      // It cancels the task.
      Task { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    /// Ends a request whose kept connection the service has closed after a part of the body was
    /// sent.
    ///
    /// The body would have to be sent once more, which on Linux it is not: the task would wait for
    /// its timeout. And the service may have carried the request out, so that it is not repeated here.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      exchange(task)?.abandon(HTTPError(.connectionLost))
      completionHandler(nil)
    }
  #endif

  private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }
}

#if canImport(FoundationNetworking)
  /// Runs what is added at once, where it is added.
  ///
  /// A session on Linux adds each piece of a body as an operation, and does not wait for it: pieces
  /// that come faster than operations begin, as they do from an endless body, would pile up, and the
  /// end of the body behind them.
  private final class ImmediateQueue: OperationQueue, @unchecked Sendable {  // has no state
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      block()
    }
  }
#endif
