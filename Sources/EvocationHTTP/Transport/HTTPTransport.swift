public import Foundation

/// Sends one request and gives its answer: the head, and then the body in pieces.
///
/// ``URLSessionTransport`` is the one that repositories use unless told otherwise. An app on a Linux
/// server may put another in its place:
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
/// ## What it does
///
/// It decompresses bodies whose `Accept-Encoding` it sent, and checks certificates. It neither
/// follows redirects, nor remembers answers or cookies, nor repeats a request, least of all one that
/// is not ``HTTPTransportRequest/isRepeatable``. Status codes are not errors. Time, size, credentials
/// and redirects are looked after by who calls it.
///
/// ## Execution
///
/// It is called from any thread, many requests at once. It ends soon after the task is cancelled,
/// also between two pieces of a body; a body that nobody reads to its end any more is given up.
///
/// ## Errors
///
/// It throws ``HTTPError`` with the code that fits: `refused`, `unreachable`, `connectionLost`,
/// `untrusted` or `malformed`; method and address are added by who calls it. `URLError` is
/// understood too. Any other error counts as `connectionLost`.
public protocol HTTPTransport: Sendable {
  /// Sends a request; answers when the head has come, and the body goes on coming.
  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse
}

/// What is to be sent, with all its header fields.
public struct HTTPTransportRequest: Sendable {
  /// The method, such as `PATCH`.
  public var method: String

  /// The address, percent-encoded; its query holds the conditions of a read.
  public var url: URL

  /// The header fields, whose names differ in more than their case; values have no line breaks.
  public var headers: [String: String]

  /// The body, if there is one; it is sent with its length and not in chunks.
  public var body: Data?

  /// How long the request may take in all; who calls ends it by then.
  public var timeout: Duration

  /// Whether it does no harm that the service gets the request twice: it reads, or has a key.
  ///
  /// Clients that keep connections may send a request again, unasked, when a kept one was lost.
  public var isRepeatable: Bool

  /// How many bytes the answer's body may have; who calls reads no more of it.
  ///
  /// A transport that holds what comes faster than it is read ends a longer one as `tooLarge`.
  public var maximumBodySize: Int

  /// Makes a request.
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

/// The head of an answer, and its body as it comes.
public struct HTTPTransportResponse: Sendable {
  /// The status, at least 200: interim answers are passed over.
  public var status: Int

  /// The header fields by their names in lower case.
  public var headers: [String: String]

  /// The body in pieces of any length, decompressed.
  public var body: any AsyncSequence<Data, any Error> & Sendable

  /// Makes an answer; fields that come several times are joined by commas.
  public init(
    status: Int, headers: some Sequence<(key: String, value: String)>,
    body: some AsyncSequence<Data, any Error> & Sendable
  ) {
    self.status = status
    self.body = body
    self.headers = Self.joined(headers)
  }

  /// Fields by their names in lower case; those that come several times are joined by commas.
  static func joined(_ fields: some Sequence<(key: String, value: String)>) -> [String: String] {
    var joined: [String: String] = [:]
    for (name, value) in fields {
      let name = name.lowercased()
      joined[name] = joined[name].map { "\($0), \(value)" } ?? value
    }
    return joined
  }
}
