import AsyncHTTPClient
import EvocationHTTP
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Sends the requests of repositories by AsyncHTTPClient, in URLSession's place.
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
      // Who calls ends the request by its timeout, as it would by a cancellation.
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

  /// What a client must be told that sends for a repository, which follows redirects itself, and
  /// has limits, retries and timeouts of its own.
  static let configuration: HTTPClient.Configuration = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    // The repository counts the bytes of an answer as they come, and lets go of one too large.
    configuration.decompression = .enabled(limit: .none)
    configuration.httpVersion = .http1Only
    // How many requests are under way at once is for the repository's limits to say.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
  }()

  /// The error that a repository understands.
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

/// The body of an answer: the client reads on from the connection when a piece is asked for.
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
