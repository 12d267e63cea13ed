import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPError {
  /// Creates the error of a request that a transport could not perform.
  init(_ error: any Error, _ method: String, url: URL) {
    let known = error as? HTTPError
    if let known, known.url != nil {
      self = known
      return
    }
    let (code, reason) = Self.code(of: error)
    self.init(
      code, method: method, url: url, status: known?.status, body: known?.body,
      headers: known?.headers ?? [:], retryAfter: known?.retryAfter, reason: reason,
      underlying: known == nil ? error : known?.underlying, failureScope: known?.givenScope
    )
    givenOutcome = known?.givenOutcome
    isOrderlyEnd = known?.isOrderlyEnd ?? false
  }

  private static func code(of error: any Error) -> (Code, reason: String?) {
    if let error = error as? HTTPError { return (error.code, error.reason) }
    if let word = words.first(where: { error.localizedDescription.contains($0.key) }) {
      return (word.value, word.value == .malformed ? error.localizedDescription : nil)
    }
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
      case .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData: .malformed
      case .appTransportSecurityRequiresSecureConnection: .insecure
      case .dataLengthExceedsMaximum: .tooLarge
      case .badURL, .unsupportedURL: .unaddressable
      default: .connectionLost
      }
    return (code, nil)
  }

  /// Linux has one code for many of curl's failures, so the text of the error decides.
  private static let words: [String: Code] = [
    "SSL certificate": .untrusted,
    "certificate subject name": .untrusted,
    "wrong version number": .untrusted,
    "HTTP/0.9": .malformed,
    "Unsupported HTTP version": .malformed,
    "Unsupported response code": .malformed,
    "Invalid Content-Length": .malformed,
    "Header without colon": .malformed,
    "Nul byte in header": .malformed,
    "Failed writing header": .malformed,
    "in chunked-encoding": .malformed,
    "Weird server reply": .malformed,
    "Unrecognized content encoding": .malformed,
    "Error while processing content unencoding": .malformed,
    "Too large response headers": .malformed,
    // Curl's text for a head that is too long.
    "Out of memory": .malformed,
  ]
}
