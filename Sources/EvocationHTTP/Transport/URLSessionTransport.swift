import Evocation

// Where there is no FoundationNetworking, the session's types are Foundation's.
#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends requests by its own `URLSession`, which stores neither cookies nor answers.
///
/// Copies of a configuration share one transport, so the models of a service share its connections. On
/// Linux a write without a key has its own connection, because a kept connection might execute the
/// write twice.
///
/// On Linux it sends `HEAD /` before a stream, so that the stream has a connection that was used
/// before: on a new one, the session keeps a core of the processor busy.
///
/// It receives an answer whole, up to ``HTTPService/Configuration-swift.struct/maximumResponseSize``.
/// Only the bodies of streamed requests arrive in pieces. On Linux three kinds of broken answers end
/// the process; see <doc:Connecting>.
///
/// A service uses one by default. Your app sets one to configure its session:
///
/// ```swift
/// configuration.transport = URLSessionTransport {
///   let session = URLSessionTransport.defaultConfiguration()
///   session.httpAdditionalHeaders = ["X-App": "Garage"]
///   return session
/// }
/// ```
public final class URLSessionTransport: HTTPTransport {
  private let exchanges: URLSessionExchanges
  private let session: Lock<URLSession?>
  private let configuration: @Sendable () -> URLSessionConfiguration

  /// Creates a transport; the first request creates the session.
  ///
  /// - Parameter configuration: Returns the session's configuration, by default
  ///   ``defaultConfiguration()``.
  public init(
    _ configuration: @escaping @Sendable () -> URLSessionConfiguration = defaultConfiguration
  ) {
    self.configuration = configuration
    exchanges = URLSessionExchanges()
    session = Lock(nil)
  }

  #if !canImport(FoundationNetworking)
    /// Creates a transport with a closure that answers the session's challenges.
    ///
    /// Use it to pin a certificate, or to present one of the device's. On Linux the system does not ask
    /// an app about certificates. Use another ``HTTPTransport`` there.
    ///
    /// - Parameters:
    ///   - configuration: Returns the session's configuration.
    ///   - challenge: Answers a challenge, on any thread; `.performDefaultHandling` leaves it to the
    ///     system.
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
    // The session retains itself and its delegate until then.
    session.withLock(\.self)?.finishTasksAndInvalidate()
  }

  /// Returns a configuration that stores neither cookies, credentials nor answers.
  ///
  /// It does not limit the number of connections, because ``HTTPLimits/requestsAtOnce`` limits the
  /// requests.
  @Sendable public static func defaultConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    // A request that waits inside the session uses up its timeout; one that waits at the gate does not.
    configuration.httpMaximumConnectionsPerHost = 1000
    return configuration
  }

  /// Sends a request, and returns when the whole answer has arrived.
  ///
  /// If the request is ``HTTPTransportRequest/isStreamed``, it returns when the head has arrived.
  public func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    if request.isStreamed {
      await keepConnection(for: request)
      return try await exchange(request).head()
    }
    let answer = try await exchange(request).response()
    let body = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(with: answer.body)
      continuation.finish()
    }
    return HTTPTransportResponse(
      status: answer.status, headers: answer.headers.lazy.map { ($0, $1) }, body: body)
  }

  /// Opens a WebSocket; on Linux it throws, because `URLSession` has none there.
  ///
  /// A challenge of the connection is answered as for requests.
  public func webSocket(_ request: HTTPTransportRequest) async throws -> any HTTPWebSocket {
    let task = opened().webSocketTask(with: message(of: request))
    task.maximumMessageSize = min(request.maximumBodySize, Int(Int32.max))
    let socket = URLSessionWebSocket(task)
    exchanges.add(socket, for: task)
    try await socket.open()
    return socket
  }

  /// Has the session keep a connection to the host, for a stream that follows.
  ///
  /// On a new connection, a session on Linux watches whether it can write for as long as it waits for
  /// the answer, which it always can: one stream would keep a core of the processor busy. On a kept
  /// connection it does not. An answer of any kind will do, and so will none.
  private func keepConnection(for request: HTTPTransportRequest) async {
    #if canImport(FoundationNetworking)
      guard let url = URL(string: "/", relativeTo: request.url)?.absoluteURL else { return }
      let first = exchange(
        HTTPTransportRequest(
          method: "HEAD", url: url, isRepeatable: true, maximumBodySize: 1 << 16))
      let limit = Task {
        try await Task.sleep(for: .seconds(5))
        first.cancel()
      }
      defer { limit.cancel() }
      _ = try? await first.response()
    #endif
  }

  /// Returns the exchange of a request, which begins when its answer is awaited.
  func exchange(_ request: HTTPTransportRequest) -> URLSessionExchange {
    let message = message(of: request)
    let isAlone = Self.needsOwnConnection(request)
    let exchanges = isAlone ? URLSessionExchanges() : exchanges
    let session = isAlone ? made(exchanges) : opened()
    return URLSessionExchange(
      ownSession: isAlone ? session : nil, limit: request.maximumBodySize,
      isStreamed: request.isStreamed
    ) { [self, message] exchange in
      // The session, which this transport ends, makes no task after its end.
      defer { withExtendedLifetime(self) {} }
      let task = session.dataTask(with: message)
      exchanges.add(exchange, for: task)
      return task
    }
  }

  private func message(of request: HTTPTransportRequest) -> URLRequest {
    var message = URLRequest(url: request.url)
    message.httpMethod = request.method
    message.httpBody = request.body
    message.cachePolicy = .reloadIgnoringLocalCacheData
    message.timeoutInterval = Self.pause(request.isStreamed ? Self.longest : request.timeout)
    for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
    return message
  }

  private static func needsOwnConnection(_ request: HTTPTransportRequest) -> Bool {
    #if canImport(FoundationNetworking)
      // If a kept connection is lost before the answer, the session silently sends the request again,
      // even if the service has already performed it. On a new connection it does not.
      !request.isRepeatable
    #else
      false
    #endif
  }

  private func opened() -> URLSession {
    if let session = session.withLock(\.self) { return session }
    let made = made(exchanges)
    let first = session.withLock { session in
      session = session ?? made
      return session
    }
    if first !== made { made.finishTasksAndInvalidate() }
    return first ?? made
  }

  private func made(_ exchanges: URLSessionExchanges) -> URLSession {
    URLSession(
      configuration: configuration(), delegate: exchanges,
      delegateQueue: URLSessionExchanges.queue())
  }

  /// Returns a timeout for the session that is longer than ours, because it limits pauses, not the whole.
  ///
  /// It is a week at most, because Linux counts milliseconds and traps when they overflow.
  static func pause(_ timeout: Duration) -> TimeInterval {
    min(max(timeout.seconds, 0) + 60, longest.seconds)
  }

  private static let longest = Duration.seconds(7 * 86400)
}
