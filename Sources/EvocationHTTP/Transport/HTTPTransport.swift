public import Foundation

/// Sends one request and returns its answer: the head, and then the body in pieces.
///
/// Repositories use ``URLSessionTransport``, unless you set the service's transport. An app on a Linux
/// server can use another one:
///
/// ```swift
/// struct PoolTransport: HTTPTransport {
///   let pool: Pool
///
///   func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
///     let answer = try await pool.send(request.method, request.url, request.headers, request.body)
///     return HTTPTransportResponse(
///       status: answer.status, headers: answer.headers, body: answer.pieces
///     )
///   }
/// }
/// ```
///
/// ## Duties
///
/// A transport decompresses bodies for which it sent `Accept-Encoding`, and checks certificates. It
/// does not follow redirects, and remembers neither answers nor cookies. It leaves repetitions to the
/// caller, above all those of a request that is not ``HTTPTransportRequest/isRepeatable``. Status codes
/// are not errors. The caller handles time, size, credentials and redirects.
///
/// The body of a request that is ``HTTPTransportRequest/isStreamed`` may never end. A transport passes
/// each piece on as it arrives, and ends no such body after a time of its own.
///
/// ## Execution
///
/// The caller calls it from any thread, and sends many requests at the same time. It ends soon after
/// the task is canceled, even between two pieces of a body. If the caller stops reading a body, the
/// transport drops the rest.
///
/// ## Errors
///
/// A transport throws ``HTTPError`` with the code that fits: `refused`, `unreachable`,
/// `connectionLost`, `untrusted` or `malformed`. The caller adds method and address. A `URLError` is
/// translated too. Any other error counts as `connectionLost`.
public protocol HTTPTransport: Sendable {
  /// Sends a request, and returns when the head has arrived; the body may still be arriving.
  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse

  /// Opens a WebSocket, and returns when the service has accepted it; by default it throws.
  ///
  /// The address begins with `ws` or `wss`. The field `Sec-WebSocket-Protocol` has the subprotocols to
  /// offer, and ``HTTPTransportRequest/maximumBodySize`` is the largest size of a message. A service
  /// that refuses it with a status is an ``HTTPError`` with that status.
  func webSocket(_ request: HTTPTransportRequest) async throws -> any HTTPWebSocket
}

/// A request with all its header fields.
///
/// A transport passes it to its own client, here AsyncHTTPClient:
///
/// ```swift
/// var message = HTTPClientRequest(url: request.url.absoluteString)
/// message.method = HTTPMethod(rawValue: request.method)
/// message.headers = HTTPHeaders(request.headers.map { ($0.key, $0.value) })
/// message.headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip, deflate")
/// if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
/// ```
public struct HTTPTransportRequest: Sendable {
  /// The method, such as `PATCH`.
  public var method: String

  /// The address, percent-encoded; its query holds the conditions of a read.
  public var url: URL

  /// The header fields, whose names differ in more than their case; values have no line breaks.
  public var headers: [String: String]

  /// The body, if there is one; a transport sends it with its length and not in chunks.
  public var body: Data?

  /// The time that the request may take in all; the caller ends it then.
  ///
  /// If the request is ``isStreamed``, it is the longest time between two pieces of the body.
  public var timeout: Duration

  /// Whether the service may safely receive the request twice: it is a read, or a write with a key.
  ///
  /// Clients that keep connections may automatically send a request again if such a connection was
  /// lost.
  public var isRepeatable: Bool

  /// The largest size of the answer's body in bytes; the caller reads no more than this.
  ///
  /// A transport that holds data until the caller reads it ends a longer body with `tooLarge`. If the
  /// request is ``isStreamed``, only the part that waits for the caller counts.
  public var maximumBodySize: Int

  /// Whether the body is passed on in pieces as it arrives, because it may never end.
  ///
  /// The default is false. A transport whose bodies are sequences need not look at it, unless its
  /// client has a time limit for a whole answer, or compresses and buffers bodies.
  public var isStreamed = false

  /// Creates a request.
  public init(
    method: String = "GET", url: URL, headers: [String: String] = [:], body: Data? = nil,
    timeout: Duration = .seconds(30), isRepeatable: Bool = false, maximumBodySize: Int = .max
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.isRepeatable = isRepeatable
    self.maximumBodySize = maximumBodySize
  }
}

/// The head of an answer, and its body as it arrives.
///
/// A transport makes it from the answer of its own client, here AsyncHTTPClient:
///
/// ```swift
/// let answer = try await client.execute(message, deadline: .distantFuture)
/// return HTTPTransportResponse(
///   status: Int(answer.status.code),
///   headers: answer.headers.map { (key: $0.name, value: $0.value) },
///   body: Pieces(body: answer.body)
/// )
/// ```
public struct HTTPTransportResponse: Sendable {
  /// The status, at least 200: a transport skips interim answers.
  public var status: Int

  /// The header fields by their names in lowercase.
  public var headers: [String: String]

  /// The body in pieces of any length, decompressed.
  public var body: any AsyncSequence<Data, any Error> & Sendable

  /// Creates an answer; the values of a repeated field are joined by commas.
  public init(
    status: Int, headers: some Sequence<(key: String, value: String)>,
    body: some AsyncSequence<Data, any Error> & Sendable
  ) {
    self.status = status
    self.body = body
    self.headers = Self.joined(headers)
  }

  /// Returns fields by their names in lowercase; the values of a repeated field are joined by commas.
  static func joined(_ fields: some Sequence<(key: String, value: String)>) -> [String: String] {
    var joined: [String: String] = [:]
    for (name, value) in fields {
      let name = name.lowercased()
      joined[name] = joined[name].map { "\($0), \(value)" } ?? value
    }
    return joined
  }
}
