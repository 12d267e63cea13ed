import AsyncHTTPClient
import EvocationHTTP
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Sends the requests of repositories by AsyncHTTPClient instead of URLSession.
struct AsyncHTTPClientTransport: HTTPTransport {
  /// The client, which the app shuts down when it ends.
  let client: HTTPClient

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    var message = HTTPClientRequest(url: request.url.absoluteString)
    message.method = HTTPMethod(rawValue: request.method)
    message.headers = HTTPHeaders(request.headers.map { ($0.key, $0.value) })
    message.headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip, deflate")
    if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
    do {
      // The repository ends the request by its timeout, as a cancellation would.
      let answer = try await client.execute(message, deadline: .distantFuture)
      return HTTPTransportResponse(
        status: Int(answer.status.code),
        headers: answer.headers.map { (key: $0.name, value: $0.value) },
        body: Pieces(body: answer.body)
      )
    } catch {
      throw Self.named(error)
    }
  }

  /// The configuration of a client that sends for a repository.
  ///
  /// The repository follows redirects itself, and has its own limits, retries and timeouts.
  static let configuration: HTTPClient.Configuration = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    // The repository counts the bytes of an answer as they arrive, and drops an answer that is too large.
    configuration.decompression = .enabled(limit: .none)
    configuration.httpVersion = .http1Only
    // The repository's limits decide how many requests run at the same time.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
  }()

  /// Returns the error as one that a repository understands.
  fileprivate static func named(_ error: any Error) -> any Error {
    let code: HTTPError.Code =
      switch error {
      case let error as IOError: error.errnoCode == ECONNREFUSED ? .refused : .connectionLost
      case is NIOConnectionError: .unreachable
      case let error as HTTPClientError where error == .connectTimeout: .unreachable
      case NIOSSLError.uncleanShutdown, HTTPParserError.invalidEOFState: .connectionLost
      case is NIOSSLError, is NIOSSLExtraError: .untrusted
      case is HTTPParserError: .malformed
      default: .connectionLost
      }
    if error is CancellationError || error as? HTTPClientError == .cancelled {
      return CancellationError()
    }
    return HTTPError(code, reason: code == .malformed ? "\(error)" : nil, underlying: error)
  }
}

/// The body of an answer: the client reads from the connection when a piece is requested.
private struct Pieces: AsyncSequence {
  let body: HTTPClientResponse.Body

  func makeAsyncIterator() -> Iterator {
    Iterator(pieces: body.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    var pieces: HTTPClientResponse.Body.AsyncIterator

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
      do {
        return try await pieces.next(isolation: actor).map { Data($0.readableBytesView) }
      } catch {
        throw AsyncHTTPClientTransport.named(error)
      }
    }

    mutating func next() async throws -> Data? {
      try await next(isolation: #isolation)
    }
  }
}
