import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPError {
  /// Makes the error of an answer whose status is not a success.
  init(_ answer: HTTPAnswer, of request: HTTPRequest, current: (any Sendable)? = nil) {
    self.init(
      Self.code(of: answer.status),
      method: request.method,
      url: request.url,
      status: answer.status,
      body: Self.text(of: answer.body),
      headers: answer.headers,
      retryAfter: RetryAfter.duration(of: answer.headers),
      current: current
    )
  }

  /// Makes the error of an answer that does not decode.
  init(undecodable answer: HTTPAnswer, of request: HTTPRequest, because error: any Error) {
    self.init(
      .undecodable,
      method: request.method,
      url: request.url,
      status: answer.status,
      body: Self.text(of: answer.body),
      headers: answer.headers,
      reason: Undecodable.reason(error, body: answer.body),
      underlying: error
    )
  }

  /// Makes the error of a request that was not answered.
  init(_ code: Code, of request: HTTPRequest, reason: String? = nil, underlying: (any Error)? = nil)
  {
    self.init(
      code, method: request.method, url: request.url, reason: reason, underlying: underlying
    )
  }

  private static func code(of status: Int) -> Code {
    switch status {
    case 401, 403: .unauthorized
    case 404, 410: .notFound
    case 409: .conflict
    case 412: .preconditionFailed
    case 400...499: .client
    case 500...599: .server
    default: .unexpectedStatus
    }
  }

  private static func text(of body: Data) -> String? {
    body.isEmpty ? nil : String(decoding: body.prefix(4096), as: UTF8.self)
  }
}

extension HTTPError {
  /// Makes the error of a request that the system could not carry out.
  init(_ error: any Error, of request: HTTPRequest) {
    let code: Code =
      switch (error as? URLError)?.code {
      case .timedOut: .timedOut
      case .cannotConnectToHost: .refused
      case .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
        .internationalRoamingOff, .callIsActive:
        .unreachable
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired:
        .untrusted
      case .appTransportSecurityRequiresSecureConnection: .insecure
      case .dataLengthExceedsMaximum: .tooLarge
      case .badURL, .unsupportedURL: .unaddressable
      default: Self.isUntrusted(error) ? .untrusted : .connectionLost
      }
    self.init(code, of: request, underlying: error)
  }

  /// Linux has one code for all of curl's TLS failures, so the text of the error decides.
  private static func isUntrusted(_ error: any Error) -> Bool {
    let words = ["SSL certificate", "certificate subject name", "wrong version number"]
    return words.contains { error.localizedDescription.contains($0) }
  }
}
