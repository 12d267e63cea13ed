import Evocation
import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests by a `URLSession` of its own, which keeps neither cookies nor answers.
///
/// Copies of a configuration share one, so that the models of a service share its connections. A
/// write without a key has a connection of its own on Linux, where one that is kept might carry it
/// out twice.
///
/// On Linux a `URLSession` cannot be stopped while it receives: what comes faster than it is read
/// is held, up to ``HTTPService/Configuration-swift.struct/maximumResponseSize``. And three kinds of broken answers end
/// the process there; see `Documentation/Connecting.md`.
public final class URLSessionTransport: HTTPTransport {
  private let exchanges: URLSessionExchanges
  private let session: Lock<URLSession?>
  private let configuration: @Sendable () -> URLSessionConfiguration

  /// Makes a transport; the session is made with the first request.
  ///
  /// - Parameter configuration: Makes the session's configuration, by default
  ///   ``defaultConfiguration()``.
  public init(
    _ configuration: @escaping @Sendable () -> URLSessionConfiguration = defaultConfiguration
  ) {
    self.configuration = configuration
    exchanges = URLSessionExchanges()
    session = Lock(nil)
  }

  #if !canImport(FoundationNetworking)
    /// Makes a transport that answers the session's challenges: to pin a certificate, or to give one of the
    /// device's.
    ///
    /// On Linux the system asks no app for these; put another ``HTTPTransport`` in its place there.
    ///
    /// - Parameters:
    ///   - configuration: Makes the session's configuration.
    ///   - challenge: Answers a challenge, on any thread; `.performDefaultHandling` leaves it to the system.
    public init(
      _ configuration: @escaping @Sendable () -> URLSessionConfiguration = defaultConfiguration,
      challenge:
        @escaping @Sendable (URLAuthenticationChallenge) -> (
          URLSession.AuthChallengeDisposition, URLCredential?
        )
    ) {
      self.configuration = configuration
      exchanges = URLSessionExchanges(challenge: challenge)
      session = Lock(nil)
    }
  #endif

  deinit {
    // The session keeps itself and its delegate until then.
    session.withLock(\.self)?.finishTasksAndInvalidate()
  }

  /// A configuration that keeps neither cookies, credentials nor answers, and lets as many requests
  /// be under way at once as ``HTTPLimits/requestsAtOnce`` says.
  @Sendable public static func defaultConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    // A request that waits within the session uses up its timeout, and here it does not.
    configuration.httpMaximumConnectionsPerHost = 1000
    return configuration
  }

  /// Sends a request; answers when the head has come.
  public func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    try await exchange(request).response()
  }

  /// Makes the exchange of a request, which begins when its answer is asked for.
  func exchange(_ request: HTTPTransportRequest) -> URLSessionExchange {
    var message = URLRequest(url: request.url)
    message.httpMethod = request.method
    message.httpBody = request.body
    message.cachePolicy = .reloadIgnoringLocalCacheData
    message.timeoutInterval = Self.pause(request.timeout)
    for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
    #if canImport(FoundationNetworking)
      // A request is sent again, unasked and unseen, when a kept connection is lost before the
      // answer, also where the service has carried it out by then. On a new one it is not.
      let isAlone = !request.isRepeatable
    #else
      let isAlone = false
    #endif
    let exchanges = isAlone ? URLSessionExchanges() : exchanges
    let session = isAlone ? made(exchanges) : opened()
    let task = session.dataTask(with: message)
    let exchange = URLSessionExchange(
      task, ownSession: isAlone ? session : nil, limit: request.maximumBodySize)
    exchanges.add(exchange, for: task)
    return exchange
  }

  private func opened() -> URLSession {
    if let session = session.withLock(\.self) { return session }
    let made = made(exchanges)
    let first = session.withLock { session in
      session = session ?? made
      return session
    }
    if first !== made { made.invalidateAndCancel() }
    return first ?? made
  }

  private func made(_ exchanges: URLSessionExchanges) -> URLSession {
    URLSession(
      configuration: configuration(), delegate: exchanges,
      delegateQueue: URLSessionExchanges.queue())
  }

  /// The system's timeout is for pauses and not for the whole, so it is set longer than ours.
  ///
  /// It is a week at most, because Linux counts milliseconds and traps when they overflow.
  static func pause(_ timeout: Duration) -> TimeInterval {
    min(max(timeout.seconds, 0) + 60, 7 * 86400)
  }
}
